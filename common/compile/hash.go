package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
)

// Header is the first two lines of a compiled PTX: they tie it to its source and
// name the compiler.
func Header(src Source, compiler string) string {
	return HashLine(src.Text) + "// Compiler: " + compiler + "\n"
}

// HashLine is the comment that ties a PTX to the text of the .cu it was made from.
func HashLine(source string) string {
	sum := sha256.Sum256([]byte(source))
	return fmt.Sprintf("// transpose.cu SHA-256: %s\n", hex.EncodeToString(sum[:]))
}

var hashLine = regexp.MustCompile(`(?m)^// transpose\.cu SHA-256: [0-9a-f]{64}\s*$`)

// Hashed reports whether a PTX says which source it was made from.
func Hashed(ptx string) bool { return hashLine.MatchString(ptx) }

// MadeFrom reports whether a PTX says that it was made from source.
func MadeFrom(ptx, source string) bool {
	line := hashLine.FindString(ptx)
	want := HashLine(source)
	return len(line) >= len(want)-1 && line[:len(want)-1] == want[:len(want)-1]
}

package browser

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A measured is one warp's request and what an H200 counted of it: -1 is not known.
type measured struct {
	Name   string  `json:"name"`
	Space  string  `json:"space"`
	Store  bool    `json:"store"`
	Bytes  int     `json:"bytes"`  // a lane
	Addr   []int64 `json:"addr"`   // by lane, in bytes
	Active uint32  `json:"active"` // bit i is set if lane i takes part

	Passes  int `json:"passes"`
	Sectors int `json:"sectors"`
	Lines   int `json:"lines"`
}

// TestHardware draws each request that an H200 counted. The picture has as many passes,
// sectors and lines as it counted, at any width, with lanes that take no part, and for
// loads of 8 and 16 bytes of which some lanes have one address.
func TestHardware(t *testing.T) {
	b := newTab(t)
	b.openPage("ep01")
	list := append(regular(t), irregular(t)...)
	list = append(list, irregularGlobal(t)...)
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	faults := value[[]string](b, fmt.Sprintf(`(() => {
		const faults = [], n = 4096;
		for (const m of %s) {
			const request = {active: m.active, addr: m.addr, buffer: m.space === "shared" ? "shared" : "in"};
			const got = {passes: picture.passes(request, m).count, sectors: -1, lines: -1};
			if (m.space === "global") {
				const drawing = picture.matrix(request, m, n, 800);
				got.sectors = drawing.querySelectorAll(".sector").length;
				got.lines = drawing.querySelectorAll(".line").length || -1; // strips have none
			}
			for (const what of ["passes", "sectors", "lines"])
				if (m[what] >= 0 && got[what] >= 0 && got[what] !== m[what])
					faults.push(m.name + ": " + got[what] + " " + what + " drawn, " + m[what] + " counted");
			request.wavefronts = got.passes;
			const banks = picture.banks(request, m, 800), distinct = new Set([...banks.querySelectorAll(".wanted")].map(e => e.getAttribute("fill")));
			if (distinct.size !== got.passes) faults.push(m.name + ": " + distinct.size + " colours of " + got.passes + " passes");
		}
		return faults;
	})()`, text))
	for i, f := range faults {
		if i == 10 {
			t.Errorf("and %d more of %d requests", len(faults)-i, len(list))
			break
		}
		t.Error(f)
	}
	if len(list) < 1000 {
		t.Errorf("%d requests are drawn, want all that were counted", len(list))
	}
}

// rows reads a table of what was counted, without its heading.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "common", "ptx", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return list[1:]
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// request is a request of which nothing was counted yet. Offsets are in bytes, by lane;
// a lane with - or -1 takes no part.
func request(t *testing.T, row []string, space, kind, bytes, offsets string) measured {
	t.Helper()
	m := measured{Name: strings.Join(row, ","), Space: space, Store: kind == "store", Bytes: atoi(t, bytes), Passes: -1, Sectors: -1, Lines: -1}
	for i, field := range strings.Fields(offsets) {
		at := 0
		if field[0] != '-' {
			at = atoi(t, field)
			m.Active |= 1 << i
		}
		m.Addr = append(m.Addr, int64(at))
	}
	return m
}

// regular are warps of which lane i has element first + i × stride.
func regular(t *testing.T) (list []measured) {
	for _, r := range rows(t, "h200-counters.csv") {
		space, kind, _ := strings.Cut(r[0], " ")
		bytes, stride, first := atoi(t, r[1]), atoi(t, r[2]), atoi(t, r[3])
		var offsets []string
		for lane := range 32 {
			offsets = append(offsets, strconv.Itoa((first+lane*stride)*bytes))
		}
		m := request(t, r, space, kind, r[1], strings.Join(offsets, " "))
		if space == "shared" {
			m.Passes = atoi(t, r[5])
		} else {
			m.Sectors = atoi(t, r[5])
		}
		list = append(list, m)
	}
	return list
}

// irregular are requests to shared memory at any offsets.
func irregular(t *testing.T) (list []measured) {
	for _, r := range rows(t, "h200-irregular.csv") {
		_, kind, _ := strings.Cut(r[0], " ")
		m := request(t, r, "shared", kind, r[1], r[3])
		m.Passes = atoi(t, r[2])
		list = append(list, m)
	}
	return list
}

// irregularGlobal are requests to global memory at any offsets. What the second of two
// equal loads takes is what passes a load takes that finds all in L1.
func irregularGlobal(t *testing.T) (list []measured) {
	once := map[string]int{}
	for _, r := range rows(t, "h200-l1-irregular.csv") {
		kind, repeated := strings.CutSuffix(r[0], " twice")
		if kind != "load" && kind != "store" {
			continue
		}
		m := request(t, r, "global", kind, r[1], r[2])
		what := r[1] + "," + r[2]
		switch {
		case repeated:
			m.Passes = atoi(t, r[6]) - once[what]
		case kind == "load":
			once[what] = atoi(t, r[6])
			fallthrough
		default:
			m.Sectors, m.Lines = atoi(t, r[4]), atoi(t, r[5])
		}
		list = append(list, m)
	}
	return list
}

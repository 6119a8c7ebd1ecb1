// Ncu prints what Nsight Compute counted of a launch beside what the emulator
// counts on the PTX, kernel by kernel, with the difference.
//
//	ncu epNN.csv epNN-count.txt
//
// The first file is the raw page of Nsight Compute as CSV, with the metrics of
// the table below; the second is the record that an episode's counting program
// writes with -record.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"transpose/common/ptx"
	"transpose/common/record"
)

// quantities are what both count, summed over a launch. The metrics are named in
// the Nsight Compute documentation, "Metrics Reference".
var quantities = []struct {
	label, metric string
	record.Kind
	requests bool // else what they cost
}{
	{"load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", record.Kind{Space: ptx.Global, Store: false}, true},
	{"load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", record.Kind{Space: ptx.Global, Store: false}, false},
	{"store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", record.Kind{Space: ptx.Global, Store: true}, true},
	{"store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", record.Kind{Space: ptx.Global, Store: true}, false},
	{"shared load requests", "smsp__inst_executed_op_shared_ld.sum", record.Kind{Space: ptx.Shared, Store: false}, true},
	{"shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", record.Kind{Space: ptx.Shared, Store: false}, false},
	{"shared store requests", "smsp__inst_executed_op_shared_st.sum", record.Kind{Space: ptx.Shared, Store: true}, true},
	{"shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", record.Kind{Space: ptx.Shared, Store: true}, false},
}

// beyond is what only the hardware can count: what is left of the sectors behind
// the L1 cache, and behind the L2 cache.
var beyond = []struct{ label, metric string }{
	{"L2 sectors read", "lts__t_sectors_srcunit_tex_op_read.sum"},
	{"L2 sectors written", "lts__t_sectors_srcunit_tex_op_write.sum"},
	{"DRAM bytes read", "dram__bytes_read.sum"},
	{"DRAM bytes written", "dram__bytes_write.sum"},
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "-metrics" {
		fmt.Println(metrics())
		return
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ncu -metrics | ncu epNN.csv epNN-count.txt")
		os.Exit(2)
	}
	if err := compare(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "ncu: %v\n", err)
		os.Exit(2)
	}
}

// metrics is what to ask Nsight Compute for.
func metrics() string {
	var names []string
	for _, q := range quantities {
		names = append(names, q.metric)
	}
	for _, q := range beyond {
		names = append(names, q.metric)
	}
	return strings.Join(names, ",")
}

// compare prints the table of one episode.
func compare(w io.Writer, csvPath, recordPath string) error {
	f, err := os.Open(csvPath)
	if err != nil {
		return err
	}
	defer f.Close()
	measured, err := readCSV(f)
	if err != nil {
		return fmt.Errorf("%s: %w", csvPath, err)
	}
	rec, err := record.Read(recordPath)
	if err != nil {
		return err
	}
	for _, r := range rec.Runs {
		writeLine(w, r.Name+", one launch", "counted", "Nsight Compute", "difference")
		for _, row := range r.Rows {
			hardware, ok := measured[row.Kernel.Name]
			if !ok {
				return fmt.Errorf("%s: no kernel %s: Nsight Compute did not see it", csvPath, row.Kernel.Name)
			}
			fmt.Fprintln(w, row.Kernel.Name)
			writeKernel(w, row.Counts, hardware)
		}
	}
	return nil
}

func writeKernel(w io.Writer, counts *ptx.Counts, hardware map[string]int64) {
	for _, q := range quantities {
		c, h := q.Sum(counts).Cost, hardware[q.metric]
		if q.requests {
			c = q.Sum(counts).Requests
		}
		if c > 0 || h > 0 {
			writeLine(w, "  "+q.label, thousands(c), thousands(h), difference(c, h))
		}
	}
	for _, q := range beyond {
		writeLine(w, "  "+q.label, "", thousands(hardware[q.metric]), "")
	}
}

func writeLine(w io.Writer, label, counted, measured, difference string) {
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-27s  %12s  %14s  %10s", label, counted, measured, difference), " "))
}

func difference(counted, measured int64) string {
	if counted == measured {
		return "0"
	}
	return fmt.Sprintf("%+.1f%%", 100*float64(measured-counted)/float64(counted))
}

// thousands writes v with a comma between groups of three digits.
func thousands(v int64) string {
	if v < 1000 {
		return fmt.Sprint(v)
	}
	return thousands(v/1000) + fmt.Sprintf(",%03d", v%1000)
}

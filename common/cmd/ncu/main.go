// Ncu prints what Nsight Compute counted of a launch beside what the emulator
// counts on the PTX, kernel by kernel, with the difference, and which part of the
// GPU was busiest.
//
//	ncu epNN.csv epNN-count.txt
//
// The first file is the raw page of Nsight Compute as CSV, with the metrics
// of the tables below; the second is the record that an episode's counting program
// writes with -record.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"transpose/common/ptx"
	"transpose/common/record"
)

// quantities are what both count, summed over a launch. The metrics are named in
// the Nsight Compute documentation, "Metrics Reference".
var quantities = []struct {
	label, metric string
	counted       func(*ptx.Counts) int64
}{
	{"load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", of(loads, requests)},
	{"load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", of(loads, sectors)},
	{"load lines", "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum", of(loads, cacheLines)},
	{"store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", of(stores, requests)},
	{"store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", of(stores, sectors)},
	{"store lines", "l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum", of(stores, cacheLines)},
	{"shared load requests", "smsp__inst_executed_op_shared_ld.sum", of(sharedLoads, requests)},
	{"shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", of(sharedLoads, wavefronts)},
	{"shared store requests", "smsp__inst_executed_op_shared_st.sum", of(sharedStores, requests)},
	{"shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", of(sharedStores, wavefronts)},
	{"all wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", func(c *ptx.Counts) int64 { return record.Total(c).Wavefronts }},
	// A store makes a request to L2 for every line: the counts of both are equal.
	{"L2 write requests", "lts__t_requests_srcunit_tex_op_write.sum", of(stores, cacheLines)},
}

var (
	loads, stores             = record.Kind{Space: ptx.Global}, record.Kind{Space: ptx.Global, Store: true}
	sharedLoads, sharedStores = record.Kind{Space: ptx.Shared}, record.Kind{Space: ptx.Shared, Store: true}
)

func requests(a ptx.Access) int64   { return a.Requests }
func sectors(a ptx.Access) int64    { return a.Sectors }
func cacheLines(a ptx.Access) int64 { return a.Lines }
func wavefronts(a ptx.Access) int64 { return a.Wavefronts }

// of returns one count of the accesses of a kind.
func of(k record.Kind, count func(ptx.Access) int64) func(*ptx.Counts) int64 {
	return func(c *ptx.Counts) int64 { return count(k.Sum(c)) }
}

// beyond is what only the hardware can count: what is left of the requests behind
// the L1 cache, and behind the L2 cache.
var beyond = []struct{ label, metric string }{
	{"L2 read requests", "lts__t_requests_srcunit_tex_op_read.sum"},
	{"L2 sectors read", "lts__t_sectors_srcunit_tex_op_read.sum"},
	{"L2 sectors written", "lts__t_sectors_srcunit_tex_op_write.sum"},
	{"DRAM bytes read", "dram__bytes_read.sum"},
	{"DRAM bytes written", "dram__bytes_write.sum"},
}

// units are parts of the GPU that a kernel may wait for, and how busy each was, in
// percent of its peak over the whole launch.
var units = []struct{ label, metric string }{
	{"L1 data pipe", "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"},
	{"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
	{"DRAM", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
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
	for _, q := range append(slices.Clone(beyond), units...) {
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
		writeLine(w, r.Name+", one launch", "counted", "hardware", "difference")
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

func writeKernel(w io.Writer, counts *ptx.Counts, hardware map[string]float64) {
	for _, q := range quantities {
		if c, h := q.counted(counts), int64(hardware[q.metric]); c > 0 || h > 0 {
			writeLine(w, "  "+q.label, thousands(c), thousands(h), difference(c, h))
		}
	}
	for _, q := range beyond {
		writeLine(w, "  "+q.label, "", thousands(int64(hardware[q.metric])), "")
	}
	busiest := 0.0
	for _, u := range units {
		busiest = max(busiest, hardware[u.metric])
	}
	for _, u := range units {
		mark := ""
		if hardware[u.metric] == busiest {
			mark = "busiest"
		}
		writeLine(w, "  "+u.label+" busy", "", fmt.Sprintf("%.1f%%", hardware[u.metric]), mark)
	}
}

func writeLine(w io.Writer, label, counted, measured, difference string) {
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-25s  %10s  %10s  %10s", label, counted, measured, difference), " "))
}

func difference(counted, measured int64) string {
	switch {
	case counted == measured:
		return "0"
	case counted == 0:
		return "uncounted"
	}
	percent := 100 * float64(measured-counted) / float64(counted)
	decimals := 1
	for digit := 0.05; math.Abs(percent) < digit; digit /= 10 { // no difference reads 0.0%
		decimals++
	}
	return fmt.Sprintf("%+.*f%%", decimals, percent)
}

// thousands writes v with a comma between groups of three digits.
func thousands(v int64) string {
	if v < 1000 {
		return fmt.Sprint(v)
	}
	return thousands(v/1000) + fmt.Sprintf(",%03d", v%1000)
}

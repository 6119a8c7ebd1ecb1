package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The numbers of the CSV in testdata are made up.
func TestCompare(t *testing.T) {
	want := `ep03, one launch              counted    hardware  difference
copy_tile
  load requests               524,288     524,288           0
  load sectors              2,097,152   2,097,152           0
  load lines                  524,288     524,288           0
  store requests              524,288     524,288           0
  store sectors             2,097,152   2,097,152           0
  store lines                 524,288     524,288           0
  shared load requests        524,288     524,288           0
  shared load wavefronts      524,288     524,400      +0.02%
  shared store requests       524,288     524,288           0
  shared store wavefronts     524,288     524,300     +0.002%
  all wavefronts            2,097,152   2,674,411      +27.5%
  L2 write requests           524,288     524,288           0
  L2 read requests                        524,288
  L2 sectors read                       2,097,152
  L2 sectors written                    2,097,152
  DRAM bytes read                      67,108,864
  DRAM bytes written                   33,554,432
  L1 data pipe busy                         28.3%
  L2 busy                                   85.0%     busiest
  DRAM busy                                 79.4%
transpose_shared
  load requests               524,288     524,288           0
  load sectors              2,097,152   2,097,152           0
  load lines                  524,288     524,288           0
  store requests              524,288     524,288           0
  store sectors             2,097,152   2,097,152           0
  store lines                 524,288     524,288           0
  shared load requests        524,288     524,288           0
  shared load wavefronts   16,777,216  16,985,947       +1.2%
  shared store requests       524,288     524,288           0
  shared store wavefronts     524,288     537,049       +2.4%
  all wavefronts           18,350,080  18,886,378       +2.9%
  L2 write requests           524,288     524,288           0
  L2 read requests                        524,288
  L2 sectors read                       2,097,153
  L2 sectors written                    2,097,152
  DRAM bytes read                      67,108,864
  DRAM bytes written                   33,554,432
  L1 data pipe busy                         84.9%     busiest
  L2 busy                                   39.5%
  DRAM busy                                 28.1%
`
	var b strings.Builder
	if err := compare(&b, "testdata/ep03.csv", "testdata/ep03-count.txt"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestReadCSVRefuses(t *testing.T) {
	names := `"ID","Kernel Name","` + strings.ReplaceAll(metrics(), ",", `","`) + "\"\n"
	for _, c := range []struct{ name, csv, want string }{
		{"nothing", "", "no launch in it"},
		{"only talk", "==ERROR== no kernels were profiled\n", "no launch in it"},
		{"no launch", names + names, "no launch in it"},
		{"no permission", names + names + `"0","copy"` + strings.Repeat(`,"n/a"`, strings.Count(metrics(), ",")+1) + "\n", "copy: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum is no number"},
		{"a metric missing", "\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"copy\"\n", "copy: no metric"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := readCSV(strings.NewReader(c.csv)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if err := compare(&strings.Builder{}, "testdata/ep03.csv", "testdata/missing.txt"); err == nil {
		t.Error("a record that is not there: no error")
	}
}

package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteSeries(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*Record)
	}{
		{"timed and counted", `the series, load/store             GB/s  of copy  sectors  wavefronts  shared  over the kernel before
ep03  transpose_shared           1677.7     0.50      4/4         1/1    32/1  1.05× transpose_read_strided
`, func(*Record) {}},
		{"timed", `the series, load/store             GB/s  of copy  sectors  wavefronts  shared  over the kernel before
ep03  transpose_shared           1677.7     0.50                               1.05× transpose_read_strided
`, func(rec *Record) { rec.Runs[0].New().Counts = nil }},
		{"counted", `the series, load/store          sectors  wavefronts  shared
ep03  transpose_shared              4/4         1/1    32/1
`, func(rec *Record) {
			rec.settings = nil
			for i := range rec.Runs[0].Rows {
				rec.Runs[0].Rows[i].Times = nil
			}
		}},
		{"wide", `the series, load/store             GB/s  of copy              sectors         wavefronts  shared  over the kernel before
ep03  transpose_shared           1677.7     0.50  16/4 (16/4 at best)  4/1 (4/1 at best)    32/1  1.05× transpose_read_strided
`, func(rec *Record) {
			load := &rec.Runs[0].New().Counts.Accesses[0]
			load.Sectors, load.BestSectors = 16*load.Requests, 16*load.Requests
			load.Wavefronts, load.BestWavefronts = 4*load.Requests, 4*load.Requests
		}},
		{"a copy last", `the series, load/store             GB/s  of copy  sectors  wavefronts  shared  over the kernel before
`, func(rec *Record) { rec.Runs[0].New().Kernel.Leaves = Copied }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec, _ := read(t, ep03)
			c.change(rec)
			var b strings.Builder
			rec.WriteSeries(&b)
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("table (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteBandwidths(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*Record)
	}{
		{"faster", "GB/s, over the last        n = 4096\ntranspose_shared         1678 1.05×\n", func(*Record) {}},
		{"who knows", "GB/s, over the last        n = 4096\ntranspose_shared         1678     ~\n", func(rec *Record) {
			rec.Runs[0].inherited().Times = rec.Runs[0].New().Times
		}},
		{"counted", "GB/s, over the last        n = 4096\n", func(rec *Record) { rec.Runs[0].New().Times = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec, _ := read(t, ep03)
			c.change(rec)
			var b strings.Builder
			rec.WriteBandwidths(&b)
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("table (-want +got):\n%s", diff)
			}
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"transpose/common/record"
)

// The colours are of the palette of Okabe and Ito, which those who see fewer
// colours can tell apart. The white ground is the chart's own, so that it stands
// on any page.
var (
	copies    = color.RGBA{0x56, 0xb4, 0xe9, 0xff} // sky blue
	inherited = color.RGBA{0xbb, 0xbb, 0xbb, 0xff}
	newest    = color.RGBA{0xe6, 0x9f, 0x00, 0xff} // orange
	memcpy    = color.RGBA{0x00, 0x9e, 0x73, 0xff} // bluish green
	dark      = color.RGBA{0x22, 0x22, 0x22, 0xff}
)

// Sizes are in points, of which the chart is width wide: as many as a phone has pixels,
// so that its text can be read there.
const (
	width    = 400
	fontSize = 12
	barWidth = 14
	pitch    = 19 // from a row to the next
)

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
}

// drawing returns the chart of a record as SVG, at the first of its sizes.
func drawing(rec *record.Record) ([]byte, error) {
	rec = rec.At(rec.Sizes()[0])
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text = fmt.Sprintf("Effective bandwidth in GB/s\n%s, %s", rec.Setting("card"), rec.Setting("date"))
	p.Title.TextStyle.Font.Size = fontSize + 2
	p.Title.Padding = 12
	p.X.Min, p.X.Max = 0, most(rec)
	p.X.Tick.Label.Font.Size = fontSize
	p.X.Label.Text = "bar: the median\nmark: slowest to fastest launch\nblue: the copy of that launch\ngrey: the kernel before\norange: the episode's new one"
	p.X.Label.TextStyle.Font.Size = fontSize
	p.Y.Tick.Label.Font.Size = fontSize
	p.Y.Tick.Length, p.Y.Tick.LineStyle.Width, p.Y.LineStyle.Width = 14, 0, 0

	rows, err := addBars(p, rec)
	if err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = 0.4-float64(rows), 2.6
	if err := addLines(p, rec); err != nil {
		return nil, err
	}

	canvas := vgsvg.New(width, vg.Length((rows+1)*pitch+150))
	dc := draw.New(canvas)
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	p.Draw(draw.Crop(dc, 4, -14, 6, -8))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	// Where the font is not installed, one of the same widths or the reader's own.
	svg := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
	return textElement.ReplaceAllFunc(svg, fixed), nil
}

var textElement = regexp.MustCompile(`(<text )([^>]*font-weight:(normal|bold);[^>]*font-size:(\d+)px">)([^<]*)</text>`)

// fixed says how wide a text is in the font that it was placed with: another one, which
// may be wider, would run into the bars.
func fixed(element []byte) []byte {
	m := textElement.FindSubmatch(element)
	size, err := strconv.Atoi(string(m[4]))
	if err != nil {
		return element
	}
	style := text.Style{Font: plot.DefaultFont, Handler: plot.DefaultTextHandler}
	style.Font.Size = vg.Length(size)
	if string(m[3]) == "bold" {
		style.Font.Weight = xfont.WeightBold
	}
	wide := style.Width(html.UnescapeString(string(m[5])))
	return fmt.Appendf(nil, "%stextLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\" %s%s</text>", m[1], wide, m[2], m[5])
}

// bandwidth is what a kernel of the run runs at if a launch takes ms.
func bandwidth(run *record.Run, ms float64) float64 {
	return record.Bandwidth(record.BytesMoved(run.N), ms)
}

// drawn reports whether a row has a bar: it was timed, moves anything, and is no
// line across all bars.
func drawn(row *record.Row) bool {
	return row.Times != nil && row.Kernel.Leaves != record.Untouched && row.Kernel != record.Memcpy
}

// most is the end of the scale: the peak, or the fastest launch.
func most(rec *record.Record) float64 {
	most := 0.0
	for _, run := range rec.Runs {
		most = max(most, run.Card.Peak)
		for i := range run.Rows {
			if drawn(&run.Rows[i]) {
				most = max(most, bandwidth(run, run.Rows[i].Times.Min()))
			}
		}
	}
	return most
}

// addBars draws the kernels from the top down, under a heading for each episode,
// and returns how many rows that takes.
func addBars(p *plot.Plot, rec *record.Record) (rows int, err error) {
	var ticks plot.ConstantTicks
	for _, run := range rec.Runs {
		heading := strings.Replace(run.Name, "ep", "Episode ", 1)
		if err := label(p, heading, 0, -float64(rows), text.XLeft, xfont.WeightBold); err != nil {
			return 0, err
		}
		rows++
		for i := range run.Rows {
			row := &run.Rows[i]
			if !drawn(row) {
				continue
			}
			ticks = append(ticks, plot.Tick{Value: -float64(rows), Label: row.Kernel.Name})
			if err := addBar(p, run, row, -float64(rows)); err != nil {
				return 0, err
			}
			rows++
		}
	}
	p.Y.Tick.Marker = ticks
	return rows, nil
}

// addBar draws one kernel at height y.
func addBar(p *plot.Plot, run *record.Run, row *record.Row, y float64) error {
	mid, slowest, fastest := bandwidth(run, row.Times.Median()), bandwidth(run, row.Times.Max()), bandwidth(run, row.Times.Min())
	bar, err := plotter.NewBarChart(plotter.Values{mid}, barWidth)
	if err != nil {
		return err
	}
	bar.Horizontal, bar.XMin, bar.LineStyle.Width = true, y, 0
	switch {
	case row == run.New():
		bar.Color = newest
	case row.Kernel.Leaves == record.Copied:
		bar.Color = copies
	default:
		bar.Color = inherited
	}
	p.Add(bar)
	if _, err := line(p, dark, slowest, y, fastest, y); err != nil {
		return err
	}
	// The number stands in the bar if there is room for it.
	number := fmt.Sprintf("%.0f", mid)
	if mid > p.X.Max/2 {
		return label(p, number, slowest, y, text.XRight, xfont.WeightNormal)
	}
	return label(p, number, fastest, y, text.XLeft, xfont.WeightNormal)
}

// addLines draws the driver's copy, by the launches of all episodes together, and
// the peak across all rows.
func addLines(p *plot.Plot, rec *record.Record) error {
	var times record.Times
	for _, run := range rec.Runs {
		for _, row := range run.Rows {
			if row.Kernel == record.Memcpy {
				times = append(times, row.Times...)
			}
		}
	}
	run := rec.Runs[0]
	if len(times) > 0 {
		v := bandwidth(run, times.Median())
		// Its end is below the peak's label.
		if _, err := line(p, memcpy, v, p.Y.Min, v, 1.4); err != nil {
			return err
		}
		if err := label(p, fmt.Sprintf("driver memcpy %.0f", v), v, 1, text.XRight, xfont.WeightNormal); err != nil {
			return err
		}
	}
	if peak := run.Card.Peak; peak > 0 {
		l, err := line(p, dark, peak, p.Y.Min, peak, p.Y.Max)
		if err != nil {
			return err
		}
		l.Dashes = []vg.Length{6, 4}
		return label(p, fmt.Sprintf("peak %.0f", peak), peak, 2, text.XRight, xfont.WeightNormal)
	}
	return nil
}

func line(p *plot.Plot, c color.Color, x1, y1, x2, y2 float64) (*plotter.Line, error) {
	l, err := plotter.NewLine(plotter.XYs{{X: x1, Y: y1}, {X: x2, Y: y2}})
	if err != nil {
		return nil, err
	}
	l.Color, l.Width = c, 2.5
	p.Add(l)
	return l, nil
}

// label writes s beside the point x, y: to its right if align is text.XLeft, to
// its left if text.XRight.
func label(p *plot.Plot, s string, x, y float64, align text.XAlignment, weight xfont.Weight) error {
	l, err := plotter.NewLabels(plotter.XYLabels{XYs: []plotter.XY{{X: x, Y: y}}, Labels: []string{s}})
	if err != nil {
		return err
	}
	style := &l.TextStyle[0]
	style.Font.Size, style.Font.Weight = fontSize, weight
	style.XAlign, style.YAlign = align, text.YCenter
	l.Offset = vg.Point{X: 6}
	if align == text.XRight {
		l.Offset.X = -6
	}
	p.Add(l)
	return nil
}

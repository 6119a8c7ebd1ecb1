'use strict';
// Pictures of one request of a warp, drawn from its addresses: the matrix with the
// sectors and lines that it touches, and the 32 banks with the passes that serve it.

const picture = (() => {
  const NS = 'http://www.w3.org/2000/svg';
  let patterns = 0; // so that each picture's pattern has a name of its own

  function element(parent, name, attributes = {}, text = '') {
    const e = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    if (text !== '') e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }

  // svg is an empty picture, with words for those who cannot see it.
  function svg(width, height, title) {
    const s = element(null, 'svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', class: 'drawing'});
    element(s, 'title', {}, title);
    return s;
  }

  // hatch is a fill for what is fetched and not used.
  function hatch(s) {
    const id = 'hatch' + patterns++;
    const p = element(element(s, 'defs'), 'pattern', {id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'});
    element(p, 'rect', {width: 5, height: 5, class: 'hatch-back'});
    element(p, 'rect', {width: 1.6, height: 5, class: 'hatch-line'});
    return `url(#${id})`;
  }

  // lanes lists the lanes that take part, each with its first byte.
  function lanes(request) {
    const list = [];
    for (let lane = 0; lane < 32; lane++)
      if (request.active >>> lane & 1)
        list.push({lane, at: request.addr ? request.addr[lane] : (request.base || 0) + lane * (request.step || 0)});
    return list;
  }

  // pieces are the distinct pieces of some size that the lanes touch, in order. An
  // access is aligned, so it lies in one.
  function pieces(list, size) {
    return [...new Set(list.map(l => Math.floor(l.at / size)))].sort((a, b) => a - b);
  }

  // wantedBy maps each 4-byte word to what lanes ask of it: first byte, bytes, lane.
  function wantedBy(list, bytes) {
    const words = new Map();
    for (const {lane, at} of list)
      for (let b = at; b < at + bytes; b = Math.floor(b / 4) * 4 + 4) {
        const word = Math.floor(b / 4), end = Math.min(at + bytes, word * 4 + 4);
        if (!words.has(word)) words.set(word, []);
        words.get(word).push({lane, from: b - word * 4, bytes: end - b});
      }
    return words;
  }

  // shown lists numbers with the gaps between them: -1 stands for what is left out.
  function shown(sorted) {
    const list = [];
    sorted.forEach((x, i) => {
      if (i > 0 && x !== sorted[i - 1] + 1) list.push(-1);
      list.push(x);
    });
    return list;
  }

  // runs are ranges of neighbours in sorted numbers.
  function runs(sorted) {
    const list = [];
    for (const x of sorted) {
      const last = list[list.length - 1];
      if (last && x === last.end) last.end++; else list.push({start: x, end: x + 1});
    }
    return list;
  }

  const mostRows = 40, mostColumns = 136;

  // matrix draws the request in a window of its matrix, or where that would be too
  // large, or no matrix is meant, as strips of memory.
  function matrix(request, access, n, width) {
    const list = lanes(request);
    if ((request.buffer === 'in' || request.buffer === 'out') && list.every(l => l.at >= 0 && l.at + access.bytes <= 4 * n * n)) {
      const s = window_(request, access, n, width, list);
      if (s) return s;
    }
    return strips(request, access, width, list);
  }

  function window_(request, access, n, width, list) {
    const sectors = pieces(list, 32), lines = pieces(list, 128);
    const words = wantedBy(list, access.bytes);
    const inMatrix = e => e < n * n;
    const elements = new Set();
    for (const line of lines) for (let e = line * 32; e < line * 32 + 32; e++) if (inMatrix(e)) elements.add(e);
    const touched = new Set(); // what is fetched
    for (const sector of sectors) for (let e = sector * 8; e < sector * 8 + 8; e++) if (inMatrix(e)) touched.add(e);
    const order = (a, b) => a - b;
    const rows = shown([...new Set([...touched].map(e => Math.floor(e / n)))].sort(order));
    const columns = shown([...new Set([...elements].filter(e => rows.includes(Math.floor(e / n))).map(e => e % n))].sort(order));
    if (rows.length > mostRows || columns.length > mostColumns) return null;

    const left = 44, top = 48, gap = 10;
    const cell = Math.max(2.6, Math.min(24, (width - left - 4 - gap * columns.filter(c => c < 0).length) / columns.filter(c => c >= 0).length));
    const high = Math.max(cell, rows.length > 2 ? Math.min(16, Math.max(11, cell)) : 22);
    const x = new Map(), y = new Map();
    let end = left;
    for (const c of columns) { if (c >= 0) x.set(c, end); end += c >= 0 ? cell : gap; }
    let bottom = top;
    for (const r of rows) { if (r >= 0) y.set(r, bottom); bottom += r >= 0 ? high : gap; }

    const used = list.length * access.bytes;
    const s = svg(width, bottom + 8, `${request.buffer} as a matrix: ${list.length} lanes ask for ${access.bytes} bytes each in ` +
      `${y.size} row${y.size === 1 ? '' : 's'}; ${sectors.length} sectors of 32 bytes in ${lines.length} lines of 128; at most ${used} of ${32 * sectors.length} bytes are used`);
    const fill = hatch(s);
    // Axes: the first and the last column of neighbours; the first row, the last and each eighth.
    label(s, left, 12, `${request.buffer}[row][column]`, 'start', 'label strong');
    for (const {start, end: stop} of runs([...x.keys()])) {
      const from = x.get(start), to = x.get(stop - 1) + cell;
      if (to - from > 90) {
        label(s, from, top - 18, String(start), 'start');
        label(s, to, top - 18, String(stop - 1), 'end');
      } else label(s, to > width - 60 ? to : from, top - 18, stop - start > 1 ? `${start} … ${stop - 1}` : String(start), to > width - 60 ? 'end' : 'start');
    }
    const rowList = rows.filter(r => r >= 0);
    rowList.forEach((r, i) => {
      if (rowList.length <= 4 || i % 8 === 0 || i === rowList.length - 1) label(s, left - 4, y.get(r) + high / 2 + 4, String(r), 'end');
    });
    for (const e of elements) {
      const r = Math.floor(e / n), c = e % n;
      if (!y.has(r) || !x.has(c)) continue;
      element(s, 'rect', {x: x.get(c), y: y.get(r), width: cell, height: high, class: 'cell', ...(touched.has(e) && !words.has(e) ? {fill} : {})});
    }
    const across = e => x.get(e % n), down = e => y.get(Math.floor(e / n));
    drawWanted(s, words, access, across, down, cell, high);
    const outline = (first, count, name) => {
      // A piece can begin in one row and end in the next.
      for (let e = first; e < first + count;) {
        let stop = e + 1;
        while (stop < first + count && Math.floor(stop / n) === Math.floor(e / n)) stop++;
        if (inMatrix(e) && y.has(Math.floor(e / n)))
          element(s, 'rect', {x: across(e), y: down(e), width: (Math.min(stop, n * n) - e) * cell, height: high, class: name});
        e = stop;
      }
    };
    for (const line of lines) outline(line * 32, 32, 'line');
    for (const sector of sectors) outline(sector * 8, 8, 'sector');
    // Where there is no room in the cells, every eighth lane has its number above.
    if (cell < 15) edgeNumbers(s, list, access, across, down, cell, high, rowList, top);
    return s;
  }

  // edgeNumbers tells which lane is where, above a row or beside a column of cells.
  function edgeNumbers(s, list, access, across, down, cell, high, rows, top) {
    for (const {lane, at} of list) {
      const e = Math.floor(at / 4);
      if (access.bytes >= 8 && cell * access.bytes / 4 >= 15) continue; // it has its number inside
      if (lane % 8 !== 0 && lane !== 31) continue;
      if (rows.length <= 2) label(s, across(e) + cell / 2, top - 4, String(lane), 'middle', 'lane');
      else label(s, across(e) + cell + 3, down(e) + high / 2 + 4, 'lane ' + lane, 'start', 'lane');
    }
  }

  function drawWanted(s, words, access, across, down, cell, high) {
    const kind = access.store ? 'store' : 'load';
    const numbers = [];
    for (const [word, parts] of words) {
      for (const part of parts)
        element(s, 'rect', {x: across(word) + cell * part.from / 4, y: down(word), width: cell * part.bytes / 4, height: high, class: 'wanted ' + kind});
      const first = parts[0];
      numbers.push({word, lane: first.lane, wide: cell * Math.max(1, access.bytes / 4)});
    }
    const seen = new Set();
    for (const {word, lane, wide} of numbers) {
      if (wide < 15 || high < 11 || access.bytes > 4 && seen.has(lane)) continue;
      seen.add(lane);
      label(s, across(word) + wide / 2, down(word) + high / 2 + 4, String(lane), 'middle', 'in-cell');
    }
  }

  function label(s, x, y, text, anchor, name = 'label') {
    element(s, 'text', {x, y, 'text-anchor': anchor, class: name}, text);
  }

  // strips draws the sectors of a request as pieces of memory, each with its address.
  function strips(request, access, width, list) {
    const sectors = pieces(list, 32), words = wantedBy(list, access.bytes);
    const left = 116, cell = Math.min(30, (width - left - 4) / 8), high = 16;
    const s = svg(width, 26 + sectors.length * (high + 3), `${list.length} lanes ask for ${access.bytes} bytes each, in ${sectors.length} sectors of 32 bytes`);
    const fill = hatch(s);
    const name = request.buffer || 'address';
    label(s, 4, 14, `${name}: byte of each sector's start`, 'start');
    const place = new Map(sectors.map((sector, i) => [sector, 22 + i * (high + 3)]));
    for (const sector of sectors) {
      label(s, left - 6, place.get(sector) + high / 2 + 4, (sector * 32).toLocaleString('en'), 'end');
      for (let k = 0; k < 8; k++)
        element(s, 'rect', {x: left + k * cell, y: place.get(sector), width: cell, height: high, class: 'cell', ...(words.has(sector * 8 + k) ? {} : {fill})});
    }
    drawWanted(s, words, access, w => left + (w - 8 * Math.floor(w / 8)) * cell, w => place.get(Math.floor(w / 8)), cell, high);
    for (const sector of sectors)
      element(s, 'rect', {x: left, y: place.get(sector), width: 8 * cell, height: high, class: 'sector'});
    return s;
  }

  // passes deals the words of a request out, as the data pipe does: 8 bytes a lane go by
  // half warps, 16 by quarters; half as many parts for a load from shared memory of which
  // every lane's partner, lane xor 1 or for all lane xor 2, has the same address or takes
  // no part. In a part each bank gives one word a pass. The result has pass and lanes by word.
  function passes(request, access) {
    const list = lanes(request), byLane = new Map(list.map(l => [l.lane, l.at]));
    const paired = by => list.every(l => !byLane.has(l.lane ^ by) || byLane.get(l.lane ^ by) === l.at);
    let parts = Math.max(1, access.bytes / 4);
    if (parts > 1 && access.space === 'shared' && !access.store && (paired(1) || paired(2))) parts /= 2;
    const served = []; // one entry a word and part
    let count = 0;
    for (let first = 0; first < 32; first += 32 / parts) {
      const depth = new Array(32).fill(0), seen = new Map();
      let most = 0;
      for (const {lane, at} of list) {
        if (lane < first || lane >= first + 32 / parts) continue;
        for (let word = Math.floor(at / 4); word <= Math.floor((at + access.bytes - 1) / 4); word++) {
          if (seen.has(word)) { seen.get(word).lanes.push(lane); continue; }
          const bank = ((word % 32) + 32) % 32;
          const entry = {word, bank, pass: count + depth[bank]++, lanes: [lane]};
          most = Math.max(most, depth[bank]);
          seen.set(word, entry);
          served.push(entry);
        }
      }
      count += most;
    }
    return {served, count};
  }

  function colour(pass, count) {
    return count === 1 ? 'hsl(205 75% 72%)' : `hsl(${Math.round(205 - 180 * pass / (count - 1))} 75% 72%)`;
  }

  // banks draws the 32 banks, a row for each 128 bytes that are touched, coloured by pass.
  function banks(request, access, width) {
    const {served, count} = passes(request, access);
    if (count !== request.wavefronts)
      throw new Error(`line ${access.line}: ${count} passes drawn, ${request.wavefronts} wavefronts counted`);
    const rows = shown([...new Set(served.map(e => Math.floor(e.word / 32)))].sort((a, b) => a - b));
    const left = 58, right = 66, top = 40, gap = 8;
    const cell = (width - left - right) / 32, high = Math.max(12, Math.min(20, cell));
    const y = new Map();
    let bottom = top;
    for (const r of rows) { if (r >= 0) y.set(r, bottom); bottom += r >= 0 ? high : gap; }
    const s = svg(width, bottom + 46, `32 banks: ${served.length} words of 4 bytes in ${new Set(served.map(e => e.bank)).size} banks take ` +
      `${count} pass${count === 1 ? '' : 'es'}`);
    label(s, left, 14, '32 banks of 4 bytes', 'start', 'label strong');
    for (let bank = 0; bank < 32; bank += 8) label(s, left + (bank + .5) * cell, top - 6, String(bank), 'middle');
    label(s, left + 31.5 * cell, top - 6, '31', 'middle');
    label(s, left - 6, 14, 'byte', 'end');
    label(s, width - 2, 14, 'pass', 'end');
    let last = -100;
    for (const [r, at] of y) {
      if (at - last >= 14) { label(s, left - 6, at + high / 2 + 4, String(r * 128), 'end'); }
      for (let bank = 0; bank < 32; bank++) element(s, 'rect', {x: left + bank * cell, y: at, width: cell, height: high, class: 'cell'});
      const here = [...new Set(served.filter(e => Math.floor(e.word / 32) === r).map(e => e.pass + 1))].sort((a, b) => a - b);
      if (at - last >= 14) {
        const text = here.length <= 2 ? here.join(', ') : here[here.length - 1] - here[0] === here.length - 1 ? `${here[0]}–${here[here.length - 1]}` : `${here[0]} … ${here[here.length - 1]}`;
        label(s, left + 32 * cell + 6, at + high / 2 + 4, text, 'start');
        last = at;
      }
    }
    const inCell = new Map(); // a word that two parts ask for is drawn once, split
    for (const e of served) inCell.set(e.word, [...(inCell.get(e.word) || []), e]);
    for (const [word, list] of inCell) {
      list.forEach((e, i) => element(s, 'rect', {x: left + e.bank * cell + i * cell / list.length, y: y.get(Math.floor(word / 32)),
        width: cell / list.length, height: high, class: 'wanted', fill: colour(e.pass, count)}));
      if (cell >= 15) label(s, left + (list[0].bank + .5) * cell, y.get(Math.floor(word / 32)) + high / 2 + 4, String(list[0].lanes[0]), 'middle', 'in-cell');
    }
    const text = count === 1 ? '1 wavefront: one pass serves them all' : `${count} wavefronts: passes, one after the other`;
    label(s, left, bottom + 20, text, 'start', 'label strong');
    label(s, left, bottom + 36, `for ${4 * served.length} bytes, and a pass can carry 128`, 'start');
    return s;
  }

  // overview draws a whole matrix with the elements that a block touches, those of one
  // request darker, and returns the picture.
  function overview(name, n, block, request, width) {
    const size = width, s = svg(size, size + 20, `where the block lies in ${name}`);
    label(s, 0, 13, `${name}, ${n} × ${n}`, 'start');
    const scale = size / n;
    element(s, 'rect', {x: 0, y: 20, width: size, height: size, class: 'whole'});
    const mark = (list, least, cls) => {
      const rows = new Map();
      for (const {at, bytes} of list)
        for (let e = Math.floor(at / 4); e <= Math.floor((at + bytes - 1) / 4); e++) {
          const r = Math.floor(e / n);
          if (e < 0 || r >= n) continue;
          if (!rows.has(r)) rows.set(r, new Set());
          rows.get(r).add(e % n);
        }
      for (const [r, columns] of rows)
        for (const {start, end} of runs([...columns].sort((a, b) => a - b)))
          element(s, 'rect', {x: start * scale, y: 20 + r * scale, width: Math.max(least, (end - start) * scale), height: Math.max(least, scale), class: cls});
    };
    mark(block, 1.5, 'of-block');
    mark(request, 3, 'of-request');
    return s;
  }

  return {lanes, passes, matrix, banks, overview, element};
})();

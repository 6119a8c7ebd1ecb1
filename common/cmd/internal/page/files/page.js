'use strict';
// The page: verdict, source with counts, and the picture of the chosen line. The data is
// what /data answers, or stands in the page itself where it was written to a file.

const $ = id => document.getElementById(id);
const view = {data: null, drawn: 0, chosen: '', block: 0, warp: 0, request: 0, predict: false, guesses: new Map()};

// make makes an element; children are elements or text, which stays text.
function make(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) e.setAttribute(key, value === true ? '' : value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

const number = x => x.toLocaleString('en');
const dim = d => d.Z ? `(${d.X}, ${d.Y}, ${d.Z})` : `(${d.X}, ${d.Y})`;
const each = (sum, requests) => { const x = sum / requests; return Number.isInteger(x) ? String(x) : x.toFixed(x < 10 ? 2 : 1); };

// sites are the accesses of all kernels, those of one line and kind together: a loop that
// the compiler unrolled has several.
function sites(trace) {
  const list = new Map();
  trace.kernels.forEach((kernel, k) => (kernel.accesses || []).forEach((access, a) => {
    const key = [kernel.name, access.file, access.line, access.space, access.store, access.atomic, access.bytes].join('|');
    if (!list.has(key)) list.set(key, {key, k, kernel, access, accesses: new Set(), sums: {}});
    const site = list.get(key);
    site.accesses.add(a);
    for (const f of ['requests', 'sectors', 'bestSectors', 'wavefronts', 'bestWavefronts', 'bytesTouched'])
      site.sums[f] = (site.sums[f] || 0) + (access[f] || 0);
  }));
  return [...list.values()];
}

function kind(access) {
  return (access.space === 'shared' ? 'shared ' : '') + (access.atomic ? 'atomic' : access.store ? 'store' : 'load');
}

// cost is what one request of a site takes, and what it would at best where that is less.
function cost(site, what) {
  const best = 'best' + what[0].toUpperCase() + what.slice(1), count = each(site.sums[what], site.sums.requests);
  const one = what.slice(0, -1);
  const text = `${count} ${count === '1' ? one : what}`;
  return site.sums[what] > site.sums[best] ? `${text} (best ${each(site.sums[best], site.sums.requests)})` : text;
}

function counts(site) {
  const list = site.access.space === 'shared' ? ['wavefronts'] : ['sectors', 'wavefronts'];
  return list.map(what => cost(site, what)).join(', ');
}

// even reports whether all requests of a site may take the same.
const even = site => ['sectors', 'wavefronts'].every(what => site.sums[what] % site.sums.requests === 0);
const wasteful = site => site.sums.sectors > site.sums.bestSectors || site.sums.wavefronts > site.sums.bestWavefronts;
const hidden = site => view.predict && !view.guesses.has(site.key);

// keepFocus draws, and gives the focus back to what has it, which is drawn anew.
function keepFocus(draw) {
  const id = document.activeElement && document.activeElement.id;
  draw();
  if (id && $(id) && document.activeElement !== $(id)) $(id).focus({preventScroll: true});
}

function render() {
  keepFocus(() => {
    renderBar();
    renderVerdict();
    renderCode();
    renderPicture();
  });
}

function renderBar() {
  const {data} = view, trace = data.trace;
  if (trace) {
    $('title').textContent = `${trace.episode}: a kernel and its memory`;
    document.title = `${trace.verdict}: ${trace.episode}`;
    $('ptx').textContent = trace.ptx || '';
  }
  $('sizes').replaceChildren(...(data.sizes.length > 1 ? data.sizes.map(n => make('button', {
    type: 'button', id: 'size-' + n, 'aria-pressed': String(n === data.n),
    onclick: () => fetch('size?n=' + n, {method: 'POST'}),
  }, 'n = ' + n)) : [make('span', {}, 'n = ' + data.n)]));
}

const words = {
  exact: n => `exact at n = ${n}: every element is right, and nothing is accused` + (n % 32 ? '' : '; no guard is put to the test there, as at n = 1001'),
  wrong: 'wrong: elements of the output are not what they must be',
  fault: 'fault', 'too long': 'too long to be counted; it may be right',
  format: 'not run: it does not compile, or does not fit',
};

function renderVerdict() {
  const {data} = view, trace = data.trace, box = $('verdict');
  box.className = (data.error ? 'format' : trace ? trace.verdict.replace(' ', '-') : '') + (data.working ? ' old' : '');
  const head = data.error ? 'not run: the program does not build' : trace ? (trace.verdict === 'exact' ? words.exact(trace.n) : words[trace.verdict]) : 'working …';
  const faulty = trace && trace.kernels.find(k => k.fault && k.fault.kind);
  const list = [make('p', {class: 'word'}, trace && !data.error && trace.verdict === 'fault' && faulty ? `fault: ${faulty.fault.kind}` : head,
    data.working && (trace || data.error) ? make('span', {class: 'again'}, ' (of before: working …)') : null)];
  const message = data.error || trace && trace.message;
  if (message) list.push(make('pre', {tabindex: 0, 'aria-label': 'message'}, message));
  if (trace && !data.error) for (const k of trace.kernels) if (k.wrong) list.push(wrongMap(k));
  box.replaceChildren(...list);
}

// wrongMap shows where in out the wrong elements are.
function wrongMap(kernel) {
  const w = kernel.wrong, cells = Math.ceil(w.n / w.cell), size = Math.max(cells, Math.min(256, cells * Math.ceil(256 / cells)));
  const canvas = make('canvas', {width: size, height: size, role: 'img',
    'aria-label': `out of ${kernel.name}, ${w.n} by ${w.n}: ${number(w.count)} elements are wrong`});
  const draw = canvas.getContext('2d'), scale = size / cells;
  draw.fillStyle = '#e8eef2';
  draw.fillRect(0, 0, size, size);
  const pattern = make('canvas', {width: 6, height: 6}), stripes = pattern.getContext('2d');
  stripes.fillStyle = '#1d2b36';
  stripes.fillRect(0, 0, 6, 6);
  stripes.strokeStyle = '#9fb2c0';
  stripes.lineWidth = 1.5;
  for (const x of [-6, 0, 6]) { stripes.moveTo(x, 6); stripes.lineTo(x + 6, 0); }
  stripes.stroke();
  const unwritten = draw.createPattern(pattern, 'repeat');
  let never = false, moved = false;
  for (const r of w.runs || []) {
    draw.fillStyle = r.never ? unwritten : '#d1242f';
    r.never ? never = true : moved = true;
    draw.fillRect(r.col * scale, r.row * scale, r.length * scale, scale);
  }
  return make('figure', {class: 'wrong-map'}, canvas, make('figcaption', {},
    make('strong', {}, `${kernel.name}, out at n = ${w.n}: ${number(w.count)} of ${number(w.n * w.n)} wrong`),
    make('ul', {}, ...(moved ? [make('li', {}, make('span', {class: 'key moved'}), 'written, and wrong')] : []),
      ...(never ? [make('li', {}, make('span', {class: 'key never'}), 'never written')] : []),
      make('li', {}, make('span', {class: 'key right'}), 'right'),
      ...(w.cell > 1 ? [make('li', {}, `a cell is ${w.cell} × ${w.cell} elements`)] : []))));
}

// notes are what is said of a line beside its counts: by the compiler, or of a fault.
function notes(trace, file, line) {
  const list = [];
  for (const d of trace.diagnostics || []) if (d.file === file && d.line === line) list.push(`${d.kind}: ${d.text}`);
  for (const k of trace.kernels) {
    const f = k.fault;
    if (!f) continue;
    const side = s => s && s.file === file && s.line === line;
    const thread = s => `thread ${dim(s.thread)} of block ${dim(s.block)}`;
    const race = f.kind.startsWith('race');
    if (side(f)) list.push(race ? `${f.kind}: ${thread(f)} ${f.store ? 'writes' : 'reads'} here` : `${f.kind}: ${thread(f)}`);
    if (side(f.other)) list.push(race ? `${f.kind}: ${thread(f.other)} ${f.other.store ? 'writes' : 'reads'} here` : `${thread(f.other)} is here`);
  }
  return list;
}

function renderCode() {
  const trace = view.data.trace;
  if (!trace) return;
  const all = sites(trace), code = $('code');
  const scrolled = [...code.querySelectorAll('ol')].map(e => e.scrollLeft);
  const placed = new Set();
  const children = [];
  if (!all.length) children.push(make('p', {class: 'hint'}, trace.kernels.length ? 'Nothing was counted.' : 'Nothing ran.'));
  else children.push(make('p', {class: 'hint'}, 'Choose an access to see what a warp’s request touches.' +
    (all.some(s => !hidden(s) && wasteful(s)) ? ' In a red frame: more than so many bytes need.' : '')));
  for (const source of trace.sources) {
    const lines = source.text.replace(/\n$/, '').split('\n');
    children.push(make('h2', {}, source.name), make('ol', {class: 'source', tabindex: 0, 'aria-label': source.name}, ...lines.map((text, i) => {
      const here = all.filter(s => s.access.file === source.name && s.access.line === i + 1);
      here.forEach(s => placed.add(s));
      const said = notes(trace, source.name, i + 1);
      return make('li', {class: said.length ? 'accused' : undefined, value: i + 1, id: `${source.name}-${i + 1}`},
        make('code', {}, text || ' '),
        here.length ? make('span', {class: 'chips'}, ...here.map(chip)) : null,
        ...said.map(t => make('span', {class: 'note'}, t)));
    })));
  }
  const rest = all.filter(s => !placed.has(s));
  if (rest.length) children.push(make('h2', {}, 'elsewhere'), make('ul', {class: 'rest'}, ...rest.map(s => make('li', {},
    make('code', {}, s.access.line ? `${s.access.file}:${s.access.line}  ${s.access.text}` : s.access.file ? 'line unknown (merged by the compiler)' : `PTX line ${s.access.ptxLine}  ${s.access.text}`),
    make('span', {class: 'chips'}, chip(s))))));
  code.replaceChildren(...children);
  code.querySelectorAll('ol').forEach((e, i) => { e.scrollLeft = scrolled[i] || 0; });
}

// chip is the button of a site, with its counts.
function chip(site) {
  const text = hidden(site) ? 'guess first' : counts(site);
  return make('button', {
    type: 'button', class: 'chip' + (!hidden(site) && wasteful(site) ? ' waste' : ''), id: 'site-' + site.key, 'aria-pressed': String(site.key === view.chosen),
    'aria-label': `${site.kernel.name}, line ${site.access.line}, ${kind(site.access)}: ${text}`,
    onclick: () => { choose(site.key); if (window.innerWidth < 900) $('picture').scrollIntoView(); },
  }, make('b', {}, kind(site.access)), ' ' + text);
}

function choose(key) {
  if (key !== view.chosen) view.request = 0;
  view.chosen = key;
  render();
}

// chosenSite is the chosen one, or after a save the one that took its place. At first it
// is one that could be better, of the last kernel.
function chosenSite(all) {
  const last = all.filter(s => s.k === all[all.length - 1].k);
  const usual = last.find(wasteful) || last[0];
  if (!view.chosen) view.chosen = usual.key;
  const found = all.find(s => s.key === view.chosen);
  if (found) return found;
  const was = view.chosen.split('|');
  const like = all.filter(s => s.kernel.name === was[0] && s.access.space === was[3] && String(!!s.access.store) === was[4]);
  const near = s => Math.abs(s.access.line - was[2]);
  if (!like.length) return usual; // that kernel is not there now, but may be again
  const site = like.reduce((a, b) => near(b) < near(a) ? b : a);
  view.chosen = site.key;
  return site;
}

function renderPicture() {
  const trace = view.data.trace, box = $('picture');
  const all = trace ? sites(trace) : [];
  if (!all.length) { // the last picture stays, as that of before
    if (view.drawn !== box.clientWidth) { box.replaceChildren(); return; } // it does not fit
    box.classList.add('old');
    box.querySelectorAll('input').forEach(e => { e.disabled = true; });
    return;
  }
  box.classList.remove('old');
  view.drawn = box.clientWidth;
  const site = chosenSite(all), {kernel, access} = site;
  document.querySelectorAll('.chip').forEach(e => e.setAttribute('aria-pressed', String(e.id === 'site-' + site.key)));
  const head = make('h2', {}, `${kernel.name}: ${kind(access)}`);
  const line = make('p', {class: 'quoted'}, make('code', {}, access.text || ''), uncounted(trace));
  if (hidden(site)) { box.replaceChildren(head, line, guessForm(site)); return; }

  const blocks = kernel.blocks || [];
  view.block = Math.max(0, Math.min(view.block, blocks.length - 1));
  const ofBlock = (kernel.requests || []).filter(r => r.block === view.block);
  const mine = ofBlock.filter(r => site.accesses.has(r.access));
  const warps = [...new Set(mine.map(r => r.warp))];
  if (!warps.includes(view.warp)) view.warp = warps.length ? warps.reduce((a, b) => Math.abs(b - view.warp) < Math.abs(a - view.warp) ? b : a) : 0;
  const requests = mine.filter(r => r.warp === view.warp);
  view.request = Math.max(0, Math.min(view.request, requests.length - 1));
  const request = requests[view.request];

  const children = [head, line, make('p', {class: 'count'}, `${number(site.sums.requests)} requests, ${even(site) ? 'each' : 'on average'} ${counts(site)}`, site.access.space === 'global'
    ? `; ${each(100 * site.sums.bytesTouched, 32 * site.sums.sectors)}% of the bytes used` : '')];
  const guess = view.guesses.get(site.key);
  if (guess) children.push(make('p', {class: 'guess'}, `You guessed ${guess}; counted: ${counts(site)}.`));
  children.push(make('div', {class: 'sliders'},
    slider('block', blocks.length, view.block, i => blocks[i] ? `block ${dim(blocks[i])} of ${kernel.grid.X} × ${kernel.grid.Y}` : 'no block', i => { view.block = i; }),
    slider('warp', warps.length, Math.max(0, warps.indexOf(view.warp)), i => `warp ${warps[i] ?? '–'} of the block`, i => { view.warp = warps[i]; }),
    slider('request', requests.length, view.request, i => requests.length ? `request ${i + 1} of ${requests.length}` : 'no request', i => { view.request = i; })));
  if (!request) {
    children.push(make('p', {}, 'This block makes no such request: move the slider of the block.'));
  } else {
    children.push(...drawings(request, access, kernel, trace.n, ofBlock));
  }
  box.replaceChildren(...children);
}

// uncounted says whose picture is missing, where another kernel's stands in its place.
function uncounted(trace) {
  const stopped = trace.kernels.find(k => k.fault && !(k.accesses || []).length);
  return stopped ? make('span', {class: 'hint'}, ` ${stopped.name} was stopped by its fault: it has no counts and no picture.`) : null;
}

function drawings(request, access, kernel, n, ofBlock) {
  const width = Math.max(280, Math.min(860, $('picture').clientWidth - 6)), list = [];
  const figure = (drawing, ...caption) => make('figure', {}, drawing, make('figcaption', {}, ...caption));
  const active = picture.lanes(request).length;
  const partial = active < 32 ? `${active} of 32 lanes take part. ` : '';
  try {
    if (access.space === 'global')
      list.push(figure(picture.matrix(request, access, n, width),
        `${partial}The request moves ${request.sectors} sector${request.sectors === 1 ? '' : 's'} of 32 bytes, in ${request.lines} line${request.lines === 1 ? '' : 's'} of 128. `,
        key(access.store ? 'store' : 'load', access.store ? 'stored' : 'asked for'), key('unused', 'moved, not used'), key('outline-sector', 'a sector'), key('outline-line', 'a line')));
    list.push(figure(picture.banks(request, access, width),
      access.space === 'global' ? 'The same request in L1’s data pipe, which has the 32 banks of shared memory: a colour is a pass.' : `${partial}Shared memory, 128 bytes a row, in 32 banks: a colour is a pass.`));
    const small = Math.min(220, Math.floor((width - 16) / 2));
    const bytes = r => picture.lanes(r).map(l => ({at: l.at, bytes: kernel.accesses[r.access].bytes}));
    list.push(make('figure', {class: 'overview'}, ...['in', 'out'].map(name => picture.overview(name, n, ofBlock.filter(r => r.buffer === name).flatMap(bytes),
      request.buffer === name ? bytes(request) : [], small)), make('figcaption', {}, key('of-block', 'what the block touches'), key('of-request', 'this request'))));
  } catch (e) {
    console.error(e);
    list.push(make('p', {class: 'failed'}, 'This request cannot be drawn: ' + e.message));
  }
  return list;
}

function key(name, text) { return make('span', {class: 'legend'}, make('span', {class: 'key ' + name}), text); }

function slider(name, count, value, text, move) {
  const output = make('output', {for: 'slide-' + name}, text(value));
  return make('label', {class: 'slider'}, output, make('input', {
    type: 'range', id: 'slide-' + name, min: 0, max: Math.max(0, count - 1), value, disabled: count < 2, 'aria-label': name, 'aria-valuetext': text(value),
    oninput: e => { move(Number(e.target.value)); keepFocus(renderPicture); },
  }));
}

// guessForm asks for a guess before a count is shown.
function guessForm(site) {
  const shared = site.access.space === 'shared';
  const field = (id, what) => make('label', {}, what + ' ', make('input', {id, type: 'number', min: 0, max: 1024, inputmode: 'numeric', required: true}));
  return make('form', {class: 'guess', onsubmit: e => {
    e.preventDefault();
    const sectors = shared ? '' : `${$('guess-sectors').value} sectors, `;
    view.guesses.set(site.key, `${sectors}${$('guess-wavefronts').value} wavefronts`);
    render();
    $('site-' + site.key)?.focus({preventScroll: true});
  }}, make('p', {}, 'One request of this access: how many does it take?'),
    ...(shared ? [] : [field('guess-sectors', 'sectors')]), field('guess-wavefronts', 'wavefronts'),
    make('button', {type: 'submit', id: 'guess-show'}, 'show the count'));
}

async function load() {
  const answer = await fetch('data');
  const data = await answer.json();
  if (view.data && data.sequence !== view.data.sequence) view.guesses.clear(); // another kernel
  view.data = data;
  if (data.trace || data.error || !data.working) render();
}

function follow() {
  const events = new EventSource('events');
  events.onmessage = e => {
    const now = JSON.parse(e.data);
    if (!view.data || now.sequence !== view.data.sequence) { load(); return; }
    view.data.working = now.working;
    view.data.n = now.n;
    keepFocus(() => { renderBar(); renderVerdict(); });
  };
  events.onerror = () => {
    $('verdict').className = 'format';
    $('verdict').replaceChildren(make('p', {class: 'word'}, 'the program behind this page has ended: start make see again'));
  };
}

$('predict').addEventListener('change', e => {
  view.predict = e.target.checked;
  view.guesses.clear();
  if (view.data) render();
});
window.addEventListener('resize', () => {
  if (view.data && $('picture').clientWidth !== view.drawn) keepFocus(renderPicture);
});

if ($('data').textContent) {
  view.data = JSON.parse($('data').textContent);
  render();
} else {
  follow();
}

/*
 * A minimal SVG writer for the plots. Colours follow the colour scheme of the reader, even if the file is shown as an
 * image.
 */

const style = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .note { fill: #59636e; font-size: 11px }
  .end { text-anchor: end } .middle { text-anchor: middle }
  .ground { fill: #ffffff } .axis { stroke: #d1d9e0 } .aim { stroke: #cf222e; stroke-width: 2 }
  .spread { stroke: #1f2328; stroke-width: 1.5 } .line { fill: none; stroke-width: 2 }
  .c0 { fill: #8c959f } .c1 { fill: #0969da } .c2 { fill: #bc4c00 } .c3 { fill: #1a7f37 } .c4 { fill: #8250df }
  .s0 { stroke: #8c959f } .s1 { stroke: #0969da } .s2 { stroke: #bc4c00 } .s3 { stroke: #1a7f37 } .s4 { stroke: #8250df }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .note { fill: #9198a1 } .ground { fill: #0d1117 } .axis { stroke: #3d444d }
    .spread { stroke: #f0f6fc } .aim { stroke: #ff7b72 }
    .c1 { fill: #4493f8 } .c2 { fill: #f0883e } .c3 { fill: #3fb950 } .c4 { fill: #ab7df8 }
    .s1 { stroke: #4493f8 } .s2 { stroke: #f0883e } .s3 { stroke: #3fb950 } .s4 { stroke: #ab7df8 }
  }`;

/**
 * @param {{ title: string, note: string, width: number, height: number }} frame
 * @param {readonly string[]} parts
 */
export function svg({ title, note, width, height }, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${style}\n</style>`,
    element('rect', { class: 'ground', width, height }),
    text(16, 24, title, 'title'),
    text(16, 42, note, 'note'),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

/** @param {number} x @param {number} y @param {string} content @param {string} [kind] */
export function text(x, y, content, kind = '') {
  return `<text x="${place(x)}" y="${place(y)}" class="${kind}">${escaped(content)}</text>`;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
export function element(name, attributes) {
  const written = Object.entries(attributes).map(
    ([key, value]) => `${key}="${typeof value === 'number' ? place(value) : value}"`,
  );
  return `<${name} ${written.join(' ')}/>`;
}

function place(/** @type {number} */ value) {
  return String(Number(value.toFixed(1)));
}

function escaped(/** @type {string} */ content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

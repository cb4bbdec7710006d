/// The style sheet of all pages for a browser: reports and the dashboard.
///
/// It has the colours of both schemes, each with the contrast of WCAG 2.1 AA on its background.
enum PageStyle {
  /// The text of the style sheet.
  static let text = """
    :root {
      color-scheme: light dark;
      --page: #f6f7f9; --card: #ffffff; --ink: #1a1f26; --soft: #565f6b; --line: #dfe4ea; --link: #1f5fbf;
      --passed: #1a7f4b; --failed: #c02a20; --error: #a84b00; --cancelled: #626c77; --odd: #805b00; --mark: #fbe3a3;
      --load: #8594a8; --reach: #8b6fd6; --request: #2f74d0; --parse: #13937f; --save: #c98a00; --rest: #aab4bf;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #101418; --card: #181d23; --ink: #e7ebf0; --soft: #a1acb8; --line: #2f3842; --link: #7db2ff;
        --passed: #4cc38a; --failed: #ff7b70; --error: #f5a25d; --cancelled: #9aa6b2; --odd: #e0b341; --mark: #5c4a12;
        --load: #7d8da3; --reach: #a68cf0; --request: #5b9df5; --parse: #35bfa8; --save: #e3ab3c; --rest: #5a6673;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
    .body { max-width: 1280px; margin: 0 auto; padding: 24px 20px 40px; }
    section, .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px;
      margin: 0 0 16px; }
    h1 { font-size: 22px; line-height: 1.25; margin: 6px 0 12px; font-weight: 650; overflow-wrap: anywhere; }
    h2 { font-size: 16px; margin: 0 0 10px; font-weight: 650; }
    h3 { font-size: 15px; margin: 0; font-weight: 650; display: inline; overflow-wrap: anywhere; }
    p { margin: 6px 0; overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: 2px; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
    pre, code, .place { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
    .soft, .place { color: var(--soft); }
    .place { overflow-wrap: anywhere; }
    small, .small { font-size: 13px; }
    .tag { color: var(--c, var(--ink)); font-weight: 600; white-space: nowrap; }
    .passed { --c: var(--passed); } .failed { --c: var(--failed); } .error { --c: var(--error); }
    .cancelled { --c: var(--cancelled); } .odd { --c: var(--odd); }
    .facts { display: flex; flex-wrap: wrap; gap: 6px 32px; margin: 0 0 12px; }
    .facts dt { color: var(--soft); font-size: 13px; }
    .facts dd { margin: 0; font-size: 17px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .skip { position: absolute; left: -9999px; } .skip:focus { left: 8px; top: 8px; background: var(--card); padding: 6px; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    table { border-collapse: collapse; width: 100%; }
    caption { text-align: left; color: var(--soft); font-size: 13px; padding: 0 0 6px; }
    th, td { text-align: left; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top;
      font-weight: 400; }
    thead th { color: var(--soft); font-size: 13px; white-space: nowrap; vertical-align: bottom; }
    tbody tr:last-child > * { border-bottom: 0; }
    td, tbody th { overflow-wrap: anywhere; }
    tbody th { min-width: 11em; }
    td.n, th.n { text-align: right; white-space: nowrap; }
    td.n { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; line-height: 1.75; }
    td.warn { color: var(--odd); }
    time, .age { white-space: nowrap; }
    .strip { display: block; height: 18px; width: 120px; }
    .strip + .strip { margin-top: 2px; }
    .strip path { fill: none; stroke: var(--c, var(--load)); stroke-width: 3; }
    .strip .plain { stroke: var(--load); }
    footer { color: var(--soft); font-size: 13px; padding: 0 4px; }
    @media (max-width: 860px) {
      .body { padding: 12px 10px; }
      section, .card { padding: 12px; }
      table.flows, .flows tbody, .flows caption { display: block; }
      .flows thead { display: none; }
      .flows tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 2px 14px;
        padding: 8px 0; border-bottom: 1px solid var(--line); }
      .flows tr > * { border: 0; padding: 0; }
      .flows tbody th, .flows .all { grid-column: 1 / -1; }
      .flows td[data-l]::before { content: attr(data-l); display: block; color: var(--soft); font: 12px system-ui, sans-serif; }
      .flows td.n { text-align: left; }
      .flows td:empty { display: none; }
    }
    @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
    @media print { body { background: none; } section, .card { break-inside: auto; } }

    """
}

extension HTMLReport {
  /// The page's style sheet.
  static let style = """
    :root {
      color-scheme: light dark;
      --page: #f6f7f9; --card: #ffffff; --ink: #1a1f26; --soft: #5b6672; --line: #e2e6eb;
      --passed: #1a7f4b; --failed: #c02a20; --error: #a84b00; --cancelled: #68727d; --odd: #8a6100;
      --load: #8594a8; --reach: #8b6fd6; --request: #2f74d0; --parse: #13937f; --save: #c98a00; --rest: #c9d0d8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #101418; --card: #181d23; --ink: #e7ebf0; --soft: #9aa6b2; --line: #2b333c;
        --passed: #4cc38a; --failed: #ff7b70; --error: #f5a25d; --cancelled: #95a1ad; --odd: #e0b341;
        --load: #7d8da3; --reach: #a68cf0; --request: #5b9df5; --parse: #35bfa8; --save: #e3ab3c; --rest: #3d4752;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
    main { max-width: 1100px; margin: 0 auto; padding: 32px 20px 48px; }
    header, section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px 24px;
      margin-bottom: 20px; }
    h1 { font-size: 24px; line-height: 1.25; margin: 8px 0 16px; font-weight: 650; }
    h2 { font-size: 16px; margin: 0 0 12px; font-weight: 650; }
    .verdict { display: inline-block; margin: 0; padding: 2px 12px; border-radius: 99px; font-weight: 600; font-size: 13px;
      color: var(--card); background: var(--failed); }
    .verdict.passed { background: var(--passed); }
    .facts { display: flex; flex-wrap: wrap; gap: 8px 36px; margin: 0 0 18px; }
    .facts dt { color: var(--soft); font-size: 13px; }
    .facts dd { margin: 0; font-size: 18px; font-variant-numeric: tabular-nums; }
    .share { display: flex; gap: 2px; height: 8px; border-radius: 4px; overflow: hidden; }
    .share i { min-width: 3px; background: var(--c); }
    .passed { --c: var(--passed); } .failed { --c: var(--failed); } .error { --c: var(--error); }
    .cancelled { --c: var(--cancelled); } .odd { --c: var(--odd); }
    .load { background: var(--load); } .reach { background: var(--reach); } .request { background: var(--request); }
    .parse { background: var(--parse); } .save { background: var(--save); } .rest { background: var(--rest); }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 12px; color: var(--soft); font-size: 13px; }
    .legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
    .timeline { max-height: 70vh; overflow: auto; }
    .row { display: grid; grid-template-columns: minmax(90px, 240px) 1fr; gap: 14px; align-items: center; height: 24px;
      padding-right: 44px; }
    .row > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px; color: var(--ink);
      border-left: 3px solid var(--c, transparent); padding-left: 8px; }
    .track { position: relative; height: 100%; border-left: 1px solid var(--line); }
    .bar { position: absolute; top: 6px; height: 12px; min-width: 3px; display: flex; border-radius: 3px;
      overflow: hidden; }
    .axis { position: sticky; top: 0; background: var(--card); z-index: 1; border-bottom: 1px solid var(--line);
      margin-bottom: 4px; }
    .axis > span { border-left-color: transparent; }
    .axis em { position: absolute; bottom: 2px; padding-left: 4px; border-left: 1px solid var(--line); font-style: normal;
      font-size: 12px; color: var(--soft); white-space: nowrap; }
    details { border-left: 3px solid var(--c); padding: 4px 0 4px 14px; margin: 12px 0; overflow-wrap: anywhere; }
    summary { cursor: pointer; }
    summary .tag { font-size: 13px; margin: 0 6px; }
    details p { margin: 6px 0; }
    details ul { margin: 4px 0; padding-left: 18px; color: var(--soft); font-size: 14px; }
    .place { color: var(--soft); font: 13px ui-monospace, monospace; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th { color: var(--soft); font-weight: 500; font-size: 13px; }
    tbody tr:last-child td { border-bottom: 0; }
    .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .n + td:not(.n), .n + th:not(.n) { padding-left: 16px; }
    td.warn { color: var(--odd); }
    .tag { color: var(--c); font-weight: 600; }
    footer { color: var(--soft); font-size: 13px; padding: 0 4px; }
    @media (max-width: 640px) { .row { grid-template-columns: 96px 1fr; } main { padding: 12px; }
      header, section { padding: 16px; } .axis em:not(:nth-child(3n+1)) { display: none; } }
    @media print { body { background: none; } .timeline { max-height: none; } section, header { break-inside: auto; } }

    """
}

extension HTMLReport {
  /// The rules of the report's own parts.
  static let style = """
    .verdict { display: inline-block; margin: 0; padding: 2px 12px; border-radius: 99px; font-weight: 600; font-size: 13px;
      color: var(--card); background: var(--failed); }
    .verdict.passed { background: var(--passed); }
    .share { display: flex; gap: 2px; height: 8px; border-radius: 4px; overflow: hidden; }
    .share i { min-width: 3px; background: var(--c); }
    .load { background: var(--load); } .reach { background: var(--reach); } .request { background: var(--request); }
    .parse { background: var(--parse); } .save { background: var(--save); } .rest { background: var(--rest); }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 12px; color: var(--soft); font-size: 13px; }
    .legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
    .row { display: grid; grid-template-columns: minmax(90px, 240px) 1fr; gap: 14px; align-items: center; height: 22px;
      padding-right: 44px; }
    .row > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px;
      border-left: 3px solid var(--c, transparent); padding-left: 8px; }
    .track { position: relative; height: 100%; border-left: 1px solid var(--line); }
    .bar { position: absolute; top: 5px; height: 12px; min-width: 3px; display: flex; border-radius: 3px;
      overflow: hidden; }
    .axis { border-bottom: 1px solid var(--line); margin-bottom: 4px; }
    .axis > span { border-left-color: transparent; }
    .axis em { position: absolute; bottom: 2px; padding-left: 4px; border-left: 1px solid var(--line); font-style: normal;
      font-size: 12px; color: var(--soft); white-space: nowrap; }
    details { margin: 12px 0; overflow-wrap: anywhere; }
    details[class] { border-left: 3px solid var(--c); padding: 2px 0 2px 14px; }
    summary { cursor: pointer; }
    summary .tag { font-size: 13px; margin: 0 6px; }
    details ul { margin: 4px 0; padding-left: 18px; color: var(--soft); font-size: 14px; }
    pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
    .source, .two pre { background: var(--page); border: 1px solid var(--line); border-radius: 4px; padding: 6px 10px; }
    mark { background: var(--mark); color: inherit; }
    .source mark { display: block; margin: 0 -10px; padding: 0 10px; }
    .change { margin: 12px 0; }
    .two { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
    .two > div { min-width: 0; }
    .label { color: var(--soft); font-size: 13px; }
    .filter { border: 0; padding: 0; margin: 0 0 8px; display: flex; flex-wrap: wrap; gap: 4px 18px; min-width: 0; }
    .filter label { cursor: pointer; padding: 2px 0; }
    .filter input { margin: 0 4px 0 0; accent-color: var(--link); }
    body:has(#show-failed:checked) .flows tbody tr:not(.failed), body:has(#show-error:checked) .flows tbody tr:not(.error),
    body:has(#show-cancelled:checked) .flows tbody tr:not(.cancelled), body:has(#show-odd:checked) .flows tbody tr:not(.odd),
    body:has(#show-passed:checked) .flows tbody tr:not(.passed) { display: none; }
    @media (max-width: 640px) { .row { grid-template-columns: 96px 1fr; gap: 8px; }
      .axis em:not(:nth-child(3n+1)) { display: none; } }

    """
}

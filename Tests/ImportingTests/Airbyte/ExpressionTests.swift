import Importing
import Testing

/// Expressions of manifests in the flow language, as they stand in a record's filter or a parameter.
@Suite(.timeLimit(.minutes(1))) struct JinjaExpressionTests {
  @Test(arguments: [
    ("{{ now_utc() }}", "{{ now() }}"),
    ("{{ now_utc().strftime('%Y-%m-%d') }}", "{{ format(now(), '%Y-%m-%d') }}"),
    (
      "{{ (now_utc() - duration('P1D')).strftime('%s') }}",
      "{{ format(truncate(now() - duration('P1D'), 'second'), 'epoch_s') }}"
    ),
    ("{{ (now_utc() - duration('P2M')).strftime('%Y') }}", "{{ format(add(now(), -2, 'month'), '%Y') }}"),
    ("{{ format_datetime(config['start_date'], '%Y/%m/%d') }}", "{{ format(vars.start_date, '%Y/%m/%d') }}"),
    ("{{ timestamp(config['start_date']) }}", "{{ int(vars.start_date) }}"),
    ("{{ config['region'] | upper }}", "{{ upper(vars.region) }}"),
    ("{{ config.names | sort | join }}", "{{ optional(join(vars.names.sort(x, lower(x)))) }}"),
    ("{{ config.names | map('upper') | sort | join }}", "{{ optional(join(vars.names.map(x, upper(x)).sort(x, x))) }}"),
    (
      "{{ config.names | sort(reverse=true, case_sensitive=true) | join }}",
      "{{ optional(join(reverse(reverse(vars.names).sort(x, x)))) }}"
    ),
    ("{{ config.names | unique | join }}", "{{ optional(join(vars.names.unique(x, lower(x)))) }}"),
    ("{{ config.names | reverse | join }}", "{{ optional(join(reverse(vars.names))) }}"),
    (
      "{{ config.list | sort(attribute='a.b') | map(attribute='c') | join }}",
      "{{ optional(join(coalesce(json(vars.list), []).sort(x, type(x.a.b) == 'string' ? lower(x.a.b) : x.a.b).map(x, x.c))) }}"
    ),
    ("{{ config.size / 10 ** 2 }}", "{{ float(vars.size) / power(10, 2) }}"),
    ("a/{{ config.size or 'all' }}", "a/{{ vars.size != 0 ? string(vars.size) : 'all' }}"),
    (
      "{{ [config.list[0].a, config.region] | select | join }}",
      "{{ optional(join([coalesce(json(vars.list)[0].a, null), vars.region].filter(x, !(x in [null, '', 0, false, [], {}])))) }}"
    ),
    ("{{ config.region | title }}", "{{ title(vars.region) }}"),
    (
      "{{ '%05d' % config.size }}",
      "{{ starts_with(string(vars.size), '-') ? '-' + pad_start(slice(string(vars.size), 1), 5 - 1, '0') : pad_start(string(vars.size), 5, '0') }}"
    ),
    ("{{ '%.2f' | format(config.size) }}", "{{ fixed(vars.size, 2) }}"),
    (
      "{{ 'a{:>5}-{:.1f}'.format(config.region, config.size / 3) }}",
      "{{ 'a' + pad_start(vars.region, 5) + '-' + fixed(float(vars.size) / 3, 1) }}"
    ),
    ("{{ '{:5}'.format(config.region) }}", "{{ pad_end(vars.region, 5) }}"),
    (
      "{{ config.region.zfill(4) }}",
      "{{ starts_with(vars.region, '-') ? '-' + pad_start(slice(vars.region, 1), 4 - 1, '0') : pad_start(vars.region, 4, '0') }}"
    ),
    (
      "{{ config.region | truncate(9) }}",
      "{{ length(vars.region) <= 14 ? vars.region : replace_matches(slice(vars.region, 0, 6), ' [^ ]*$', '') + '...' }}"
    ),
    (
      "{{ config.region | truncate(9, true, '', 0) }}",
      "{{ length(vars.region) <= 9 ? vars.region : slice(vars.region, 0, 9) }}"
    ),
    ("{{ now_utc().strftime('%G-W%V') }}", "{{ format(now(), '%G-W%V') }}"),
    ("{{ now_utc().weekday() + 1 }}", "{{ int(format(now(), '%u')) - 1 + 1 }}"),
    ("{{ now_utc().isoweekday() }}", "{{ int(format(now(), '%u')) }}"),
    ("{{ config['size'] or 'all' }}", "{{ vars.size != 0 ? string(vars.size) : 'all' }}"),
    ("{{ config.size if config.region else 'all' }}", "{{ vars.region != '' ? string(vars.size) : 'all' }}"),
    (
      "{% set a = 'x' %}{% if config.region %}{% set a = a ~ 'y' %}{% endif %}{{ a }}",
      "{{ vars.region != '' ? 'xy' : 'x' }}"
    ),
    (
      "{% if config.size > 1 %} {% set a = 'x' %} {% elif config.size %}{% set a = 'y' %}{% else %}{% set a = 'z' %}{% endif %} {{ a }}",
      "{{ vars.size > 1 ? 'x' : vars.size != 0 ? 'y' : 'z' }}"
    ),
    (
      "{% for n in config.names %}{% set m = n | upper %}{{ m }},{% endfor %}",
      "{{ optional(join(vars.names.map(n, upper(n) + ','))) }}"
    ),
    (
      "{% set t = namespace(v=0) %}{% for n in config.names %}{% if n != 'a' %}{% set t.v = t.v + n | length %}{% endif %}{% endfor %}{{ t.v }}",
      "{{ sum(vars.names.filter(n, n != 'a').map(n, length(n))) }}"
    ),
    (
      "{% set t = namespace(v=['s']) %}{% for n in config.names %}{% set t.v = t.v + [n] %}{% endfor %}{{ t.v | join }}",
      "{{ optional(join(['s'] + vars.names)) }}"
    ),
    (
      "{% set t = namespace(v='no') %}{% for n in config.names if n == 'a' %}{% set t.v = n %}{% endfor %}{{ t.v }}",
      "{{ optional(length(vars.names.filter(n, n == 'a')) != 0 ? last(vars.names.filter(n, n == 'a')) : 'no') }}"
    ),
    (
      "{{ config.region | regex_replace('[^a-z]+', '-') }}",
      "{{ optional(replace_matches(vars.region, '[^a-z]+', '-')) }}"
    ),
    ("{{ config.region | regex_replace('^a+$', 'x') }}", "{{ optional(replace_matches(vars.region, '^a+$', 'x')) }}"),
    ("{{ config.region ~ '-' ~ config.size }}", "{{ vars.region + '-' + string(vars.size) }}"),
    ("{{ config.size + 1 }}", "{{ vars.size + 1 }}"),
    ("{{ config['size'] * 2 - 1 }}", "{{ vars.size * 2 - 1 }}"),
    ("{{ 'a' if config.region == 'eu' else 'b' }}", "{{ vars.region == 'eu' ? 'a' : 'b' }}"),
    ("{{ 'a' if 'state' in config else 'b' }}", "{{ vars.state != '' ? 'a' : 'b' }}"),
    ("{{ 'a' if 'state' not in config else 'b' }}", "{{ vars.state == '' ? 'a' : 'b' }}"),
    ("{{ config['re' + 'gion'] }}", "{{ vars.region }}"),
    ("{{ config['re' ~ 'gion'] }}", "{{ vars.region }}"),
    ("{{ 'a' if parameters['none'] == 'x' else 'b' }}", "{{ null == 'x' ? 'a' : 'b' }}"),
    ("{{ 'a' if 1 <= config.size <= 9 else 'b' }}", "{{ 1 <= vars.size && vars.size <= 9 ? 'a' : 'b' }}"),
    ("{{ config['list'][1]['name'] }}", "{{ optional(json(vars.list)[1].name) }}"),
    ("{{ config.region.split('-')[1] | int }}", "{{ int(coalesce(split(vars.region, '-')[1], '0')) }}"),
    ("{{ 'a' if config.state else 'b' }}", "{{ vars.state != '' ? 'a' : 'b' }}"),
    ("{{ config.get('state', 'open') }}", "{{ vars.state }}"),
    ("{{ config['state'] or 'all' }}", "{{ vars.state != '' ? vars.state : 'all' }}"),
    ("{{ config['names'] | join(',') }}", "{{ optional(join(vars.names, ',')) }}"),
    ("{{ config.region.split('-')[0] }}", "{{ optional(split(vars.region, '-')[0]) }}"),
    ("x-{{ config.region }}", "x-{{ vars.region }}"),
    ("x{{ '{' }}{{ config.region }}", "x{{ '{' }}{{ vars.region }}"),
    (
      "{% if config.region == 'eu' %}1{% elif config.size > 5 %}2{% else %}3{% endif %}",
      "{{ vars.region == 'eu' ? '1' : vars.size > 5 ? '2' : '3' }}"
    ),
    (
      "{{ 'yes' if config.region in ['eu', 'us'] and not config.size == 3 else 'no' }}",
      "{{ vars.region in ['eu', 'us'] && vars.size != 3 ? 'yes' : 'no' }}"
    ),
    ("{{ (config.region | base64encode) }}", "{{ base64_encode(vars.region) }}"),
    ("{{ config.region[:2] }}", "{{ optional(slice(vars.region, 0, 2)) }}"),
    ("{{ config['region'] | replace('e', 'a') | trim }}", "{{ optional(trim(replace(vars.region, 'e', 'a'))) }}"),
    ("{{ \"it's\" + config.region }}", "{{ 'it\\\\'s' + vars.region }}"),
    ("{# a comment #}a", "a"),
    (
      "{{ config.credentials.token if config.get('credentials') else config.other }}", "{{ secrets.CREDENTIALS_TOKEN }}"
    ),
    ("{{ (config.get('credentials') or config).get('token') }}", "{{ secrets.CREDENTIALS_TOKEN }}"),
    ("{{ parameters.get('none') or config.region }}", "{{ vars.region }}"),
    ("'x-{{ config.region }}'", "x-{{ vars.region }}"),
    ("{{ config.region | hash }}", "{{ md5(vars.region) }}"),
    ("{{ config.region | hash('md5') }}", "{{ md5(vars.region) }}"),
    ("{{ config.region | hash('sha256', 'salt') }}", "{{ sha256(vars.region + 'salt') }}"),
    ("{{ config.region | hash(hash_type='sha1', salt=config.api_key) }}", "{{ sha1(vars.region + secrets.API_KEY) }}"),
    ("{{ config.region | hmac('key') }}", "{{ hmac_sha256(vars.region, 'key') }}"),
    ("{{ config.region | hmac('key', hash_type='sha512') }}", "{{ hmac_sha512(vars.region, 'key') }}"),
    (
      "{{ config.region.strip('/').lstrip().rstrip('x') }}",
      "{{ optional(trim_end(trim_start(trim(vars.region, '/')), 'x')) }}"
    ),
    ("{{ config.region | trim('-') }}", "{{ optional(trim(vars.region, '-')) }}"),
    (
      "{{ (now_utc() - str_to_datetime(config['start_date'])).total_seconds() | int }}",
      "{{ truncate(float(now() - vars.start_date)) }}"
    ),
    (
      "{{ (now_utc() - str_to_datetime(config['start_date'])).days }}",
      "{{ floor(float(now() - vars.start_date) / 86400) }}"
    ),
    ("{{ now_utc().year - 1 }}", "{{ int(format(now(), '%Y')) - 1 }}"),
    ("{{ (config.size / 3) | round(2) }}", "{{ round(float(vars.size) / 3, 2, 'even') }}"),
    ("{{ (config.size / 3) | round | int }}", "{{ truncate(round(float(vars.size) / 3, 0, 'even')) }}"),
    ("{{ (config.size / 3) | round(0, 'floor') }}", "{{ float(floor(float(vars.size) / 3)) }}"),
    ("{{ config.size | round(2) }}", "{{ vars.size }}"),
    ("{{ config.size // 3 }}", "{{ vars.size / 3 }}"),
    (
      "{{ config.credentials['token'] if 'token' in config['credentials'] else config.region }}",
      "{{ has(secrets.CREDENTIALS_TOKEN) ? secrets.CREDENTIALS_TOKEN : vars.region }}"
    ),
    (
      "{{ 'a' if 'client_id' not in config.get('credentials', {}) else 'b' }}",
      "{{ vars.credentials_client_id == '' ? 'a' : 'b' }}"
    ),
    ("{{ 'a' if config.credentials is mapping else 'b' }}", "a"),
    ("{{ 'a' if config.names is iterable and config.names is not string else 'b' }}", "a"),
    ("{{ 'a' if config['api_key'] is defined else 'b' }}", "{{ has(secrets.API_KEY) ? 'a' : 'b' }}"),
    ("{{ config['api_key'] or config['region'] }}", "{{ has(secrets.API_KEY) ? secrets.API_KEY : vars.region }}"),
    ("{{ 'a' if config['size'] is number else 'b' }}", "a"),
    (
      "{{ config.region | regex_search('a(.)') or 5 }}",
      "{{ optional(coalesce(extract(vars.region, 'a(.)'), '5')) }}"
    ),
    ("{{ today_utc() - duration('P1D') }}", "{{ format(today() - duration('P1D'), '%Y-%m-%d') }}"),
    ("{{ today_utc() }}", "{{ format(today(), '%Y-%m-%d') }}"),
    ("{{ (today_utc() - duration('P1M')).strftime('%Y') }}", "{{ format(add(today(), -1, 'month'), '%Y') }}"),
    (
      "{{ now_utc().replace(day=1).strftime('%Y-%m-%d') }}",
      "{{ format(add(now(), 1 - int(format(now(), '%d')), 'day'), '%Y-%m-%d') }}"
    ),
    (
      "{{ config.names | map('upper') | list | join(',') }}",
      "{{ optional(join(vars.names.map(x, upper(x)), ',')) }}"
    ),
    ("{{ config.names | reject('equalto', 'a') | join }}", "{{ optional(join(vars.names.filter(x, x != 'a'))) }}"),
    ("{{ config.names | select('ne', 'a') | join }}", "{{ optional(join(vars.names.filter(x, x != 'a'))) }}"),
    ("{{ '%s-%d%%' % (config.region, config.size) }}", "{{ vars.region + '-' + string(vars.size) + '%' }}"),
    ("{{ '{}/{}'.format(config.region, config.size) }}", "{{ vars.region + '/' + string(vars.size) }}"),
    ("{{ '{1}{{x}}{0}'.format(config.region, config.size) }}", "{{ string(vars.size) + '{x}' + vars.region }}"),
    ("{{ '%s' | format(config.region) }}", "{{ vars.region }}"),
    ("{{ config.size | abs }}", "{{ max(vars.size, -vars.size) }}"),
    ("{{ config.region | capitalize }}", "{{ upper(slice(vars.region, 0, 1)) + lower(slice(vars.region, 1)) }}"),
    ("{{ config.region.count('a') }}", "{{ length(split(vars.region, 'a')) - 1 }}"),
    ("{{ config.size > 5 and 'a' or 'b' }}", "{{ vars.size > 5 ? 'a' : 'b' }}"),
    ("{{ config.size and 'a' or '' }}", "{{ optional(vars.size != 0 ? 'a' : '') }}"),
    ("{{ config.region and config.state }}", "{{ optional(vars.region != '' ? vars.state : vars.region) }}"),
    (
      "{{ config.region | regex_search('^(\\w+)[\\d.]$') }}",
      "{{ optional(extract(vars.region, '^([\\\\\\\\p{L}\\\\\\\\p{N}_]+)[0-9.]$')) }}"
    ),
    ("{{ config.region | base64encode | base64binascii_decode }}", "{{ base64_decode(base64_encode(vars.region)) }}"),
  ])
  func `an expression has the same meaning`(_ jinja: String, _ template: String) throws {
    let quoted = "\"" + jinja.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    let imported = try Imported(
      Manifest.with(Manifest.stream(requester: "path: /items, request_parameters: { q: \(quoted) }")))
    let found = template.contains("{{") ? "q: \"\(template)\"" : "q: \(template)"
    #expect(imported.text.contains(found), "\(found)\n\(imported.text)")
    #expect(imported.report.losses.isEmpty, "\(imported.report.losses)")
  }

  @Test(arguments: [
    ("{{ record.a > 5 }}", "where: coalesce(source.a, 0) > 5"),
    ("{{ record['a b'] }}", "where: \"!(coalesce(source['a b'], '') in ['', 0, false, [], {}])\""),
    ("{{ record.a is defined and record.b is none }}", "where: has(source.a) && source.b == null"),
    ("{{ record.get('a', {}).get('b') == 'x' }}", "where: coalesce(source.a.b, '') == 'x'"),
    ("{{ record.a == '' }}", "where: coalesce(source.a, '-') == ''"),
    ("{{ record.get('a') is mapping }}", "where: type(source.a) == 'map'"),
    ("{{ record.a is not string }}", "where: type(source.a) != 'string'"),
    ("{{ record.a is number }}", "where: type(source.a) in ['int', 'double', 'bool']"),
    ("{{ record.get('a') is iterable }}", "where: type(source.a) in ['string', 'list', 'map']"),
    ("{{ 'a' in record }}", "where: \"'a' in source\""),
    ("{{ 'a' not in record.tags }}", "where: \"!contains(coalesce(source.tags, ''), 'a')\""),
    ("{{ (record.a // 2) == 3 }}", "where: floor(float(coalesce(source.a, 0)) / 2) == 3"),
    (
      "{{ (str_to_datetime(record.b) - str_to_datetime(record.a)).days > 3 }}",
      "where: \"floor(float(timestamp(coalesce(source.b, ''), 'iso8601_utc') - timestamp(coalesce(source.a, ''), 'iso8601_utc')) / 86400) > 3\""
    ),
    (
      "{{ record.a and record.b or not record.c }}",
      """
      where: "!(coalesce(source.a, '') in ['', 0, false, [], {}]) && !(coalesce(source.b, '') in ['', 0, false, [], {}]) || coalesce(source.c, '') in ['', 0, false, [], {}]"
      """
    ),
    ("{{ record.l | sum(attribute='n.m') > 3 }}", "where: sum(coalesce(source.l, []).map(x, x.n.m)) > 3"),
    (
      "{{ record.l | selectattr('a.b', 'defined') | list | length > 3 }}",
      "where: length(coalesce(source.l, []).filter(x, has(x.a.b))) > 3"
    ),
    (
      "{{ record.l | rejectattr('n', '>', 3) | list | length > 3 }}",
      "where: length(coalesce(source.l, []).filter(x, !(coalesce(x.n, 0) > 3))) > 3"
    ),
    (
      "{{ record.l | map(attribute='n', default=0) | max > 3 }}",
      "where: max(coalesce(source.l, []).map(x, coalesce(x.n, 0))) > 3"
    ),
    ("{{ record.l | map('int') | sum > 3 }}", "where: sum(coalesce(source.l, []).map(x, int(x))) > 3"),
    ("{{ record.a != 3 }}", "where: coalesce(source.a, 0) != 3"),
    (
      "{{ record.tags | selectattr('name', 'equalto', 'x') | list | length > 0 }}",
      "where: length(coalesce(source.tags, []).filter(x, coalesce(x.name, '') == 'x')) > 0"
    ),
    (
      "{{ record.name.startswith('a') or 'b' in record.name }}",
      "where: \"starts_with(string(coalesce(source.name, '')), 'a') || contains(coalesce(source.name, ''), 'b')\""
    ),
  ])
  func `a condition has the same meaning`(_ jinja: String, _ text: String) throws {
    let imported = try Imported(
      Manifest.with(
        """
          - name: items
            retriever:
              requester: { type: HttpRequester, url_base: https://api.example.com, path: /items }
              record_selector: { extractor: { field_path: [] }, record_filter: { condition: "\(jinja)" } }
        """))
    #expect(imported.text.contains(text), "\(imported.text)")
    #expect(imported.report.losses.isEmpty, "\(imported.report.losses)")
  }

  @Test(arguments: [
    "{{ config['a' }}", "{{ a.b }}", "{{ x | unknown }}", "{{", "{{ }}",
    "{% if x %}", "{% for a in config.names %}", "{% for a in config.region %}{{ a }}{% endfor %}",
    "{% for a, b in config.names %}{% endfor %}", "{% for a in config.names %}{{ loop.index }}{% endfor %}",
    "{% for a in config.names %}{% else %}{% endfor %}", "{% endfor %}", "{% if config.size %}{% endfor %}",
    "{% set a = 1 %}{% for a in config.names %}{{ a }}{% endfor %}",
    "{{ (config.size / 3) | round(20) }}", "{{ (config.size / 3) | round(1, 'ceil') }}",
    "{{ config.size.total_seconds() }}",
    "{{ 'a' if config[config.region] in config.credentials else 'b' }}",
    "{{ '%x' % config.size }}", "{{ config.size and config.region }}", "{{ '%s' % (1, 2) }}",
    "{{ '{:^5}'.format(config.region) }}", "{{ '{}'.format() }}",
    "{{ config.names | map | join }}", "{{ config.names | select('odd one') | join }}",
    "{{ config.names | map('nothing') }}",
    "{{ config.region | regex_search('(?:a)(b)') }}", "{{ config.region | regex_search('^a|(b)') }}",
    "{{ config.region | regex_search('(a(?=b))') }}", "{{ now_utc().replace(hour=1) }}",
    "{{ range(5) }}", "{{ config }}", "{{ 'a", "{{ (((((( }}", "{{ a if }}", "{{ config.region | hash('crc') }}",
    "{{ config.region | hmac('a', 'crc') }}", "{{ config.region | hmac }}",
  ])
  func `what cannot be translated is a loss`(_ jinja: String) throws {
    let imported = try Imported(
      Manifest.with(
        Manifest.stream(
          requester: "path: /items, request_parameters: { q: '\(jinja.replacing("'", with: "''"))', ok: 1 }")))
    #expect(imported.report.losses.map(\.kind) == [.expression], "\(imported.text)")
    #expect(imported.text.contains("ok: 1"))
  }
  @Test func `a value with a default in one place only keeps its meaning in both`() throws {
    let imported = try Imported(
      Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, request_parameters: { a: \"{{ config.get('state') }}\", b: \"{{ config.get('state', 'open') }}\" }"
        )))
    #expect(imported.report.losses.isEmpty)
    #expect(
      imported.text.contains(#"{ a: "{{ optional(vars.state) }}", b: "{{ coalesce(vars.state, 'open') }}" }"#),
      "\(imported.text)")
  }

  @Test(arguments: [
    ("config['limit']", "'x' if config['limit'] else 'y'", "a: \"{{ optional(vars.limit) }}\""),
    ("config['limit']", "'x' if config['limit'] else 'y'", "coalesce(vars.limit, 0) != 0 ? 'x' : 'y'"),
    ("'x' if config['limit'] else 'y'", "config['limit']", "b: \"{{ optional(vars.limit) }}\""),
    ("'x' if config['limit'] else 'y'", "config['limit']", "coalesce(vars.limit, 0) != 0 ? 'x' : 'y'"),
    ("config.get('limit', 5)", "config.get('limit', 6)", "a: \"{{ coalesce(vars.limit, 5) }}\""),
    ("config.get('limit', 5)", "config.get('limit', 6)", "b: \"{{ coalesce(vars.limit, 6) }}\""),
    ("config['limit'] + 1", "config.get('limit', 6)", "b: \"{{ coalesce(vars.limit, 6) }}\""),
    (
      "config.get('since', '2024-01-01T00:00:00Z')", "format_datetime(config.get('since', '2020-01-01'), '%Y')",
      "b: \"{{ format(coalesce(vars.since, timestamp('2020-01-01')), '%Y') }}\""
    ),
  ])
  func `each place keeps its own default of a number`(
    _ first: String, _ second: String, _ expected: String
  ) throws {
    let imported = try Imported(
      Manifest.with(
        Manifest.stream(
          requester: "path: /items, request_parameters: { a: \"{{ \(first) }}\", b: \"{{ \(second) }}\" }"),
        properties: "since: { type: string, format: date-time }"))
    #expect(imported.report.losses.isEmpty, "\(imported.report.losses)")
    #expect(imported.text.contains(expected), "\(imported.text)")
  }
}

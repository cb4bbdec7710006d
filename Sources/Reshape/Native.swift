/// Built-ins that are implemented in Swift; those whose names begin with `_` are only for the definitions of other
/// built-ins.
enum Native: Sendable, Hashable {
  case format(Format)
  case plain(Name)

  enum Name: String, Sendable, Hashable, CaseIterable {
    // Built-ins without arguments.
    case empty, error, not, length, utf8bytelength, keys, keys_unsorted, tostring, tonumber, type, sort
    case explode, implode, tojson, fromjson, ascii_downcase, ascii_upcase, floor, ceil, round, trunc, sqrt, fabs, abs
    case log, log2, log10, exp, nan, infinite, isnan, isinfinite, isnormal, to_entries, from_entries
    case unique, min, max, gmtime, mktime, trim, ltrim, rtrim
    // Built-ins with one argument.
    case raise = "_error"
    case has, contains, split, startswith, endswith, ltrimstr, rtrimstr, getpath, delpaths, indices
    case flatten = "_flatten"
    case sortedBy = "_sort_by"
    case groupedBy = "_group_by"
    case uniqueBy = "_unique_by"
    case minimumBy = "_min_by"
    case maximumBy = "_max_by"
    case strftime, strptime
    // Built-ins with several arguments.
    case setpath, pow
    case range = "_range"
    case match = "_match"
    case pieces = "_split"
    case splice = "_splice"

    var count: Int {
      switch self {
      case .raise, .has, .contains, .split, .startswith, .endswith, .ltrimstr, .rtrimstr, .getpath, .delpaths,
        .indices, .flatten, .sortedBy, .groupedBy, .uniqueBy, .minimumBy, .maximumBy, .strftime, .strptime:
        1
      case .setpath, .pow, .pieces, .splice: 2
      case .range, .match: 3
      default: 0
      }
    }
  }

  init?(_ name: String, _ count: Int) {
    guard let found = Name(rawValue: name), found.count == count else { return nil }
    self = .plain(found)
  }

  var count: Int { if case .plain(let name) = self { name.count } else { 0 } }
}

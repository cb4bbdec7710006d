import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// The APIs by the name of their page.
  static let scripts: [String: Script] = [
    "auth": auth, "conditional": conditional, "databases": incremental, "rejected": rejected, "errors": errors,
    "expressions": expressions, "files": files, "first-flow": firstFlow, "fixtures": fixtures, "formats": formats,
    "import": imports,
    "incremental": incremental, "jobs": jobs,
    "library": library, "mapping": mapping, "mistakes": mistakes, "pages": pages, "parents": parents,
    "requests": requests, "selection": selection, "machines": selection, "monitoring": monitoring,
    "notify": notify,
    "looking": selection,
    "sending": sending,
  ]

  /// A list in three pages of two, with a token; and the same with a fault.
  private static let mistakes: Script = { call, _ in
    let after = call.number("after") ?? 0
    func page(_ first: Int, next: String, more: Bool = true) -> Reply {
      let data = (first...first + 1).map { #"{"id":\#($0),"customer":"C\#($0 % 3)"}"# }.joined(separator: ",")
      return .json(#"{"data":[\#(data)],"has_more":\#(more),"next":\#(next),"total":6}"#)
    }
    switch call.path {
    case "/orders": return page(after + 1, next: after < 4 ? "\(after + 2)" : "null", more: after < 4)
    case "/orders-in-circles": return page(after + 1, next: "2")
    case "/first-page": return page(1, next: "null")
    case "/silence": return .silence
    default: return .notFound
    }
  }
}

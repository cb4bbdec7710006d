import FlowSpec
import Foundation
import TestSupport

/// The sections of a page of `docs` by their anchors.
struct GuideSections: Sendable {
  struct Section: Sendable {
    var title: String
    var level: Int
    var anchor: String
    /// The section with all that is below it.
    var text: String
  }

  var sections: [Section] = []

  /// Nil if the page does not exist.
  init?(page: String) {
    let file = Repository.root.appendingPathComponent("docs/\(page).md")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    var seen: [String: Int] = [:]
    var open: [Int] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      let level = isCode ? 0 : line.prefix { $0 == "#" }.count
      if level > 0, line.dropFirst(level).first == " " {
        let title = String(line.dropFirst(level + 1))
        let slug = Self.slug(title)
        let count = seen[slug, default: 0]
        seen[slug] = count + 1
        open.removeAll { sections[$0].level >= level }
        open.append(sections.count)
        sections.append(Section(title: title, level: level, anchor: count == 0 ? slug : "\(slug)-\(count)", text: ""))
      }
      for index in open { sections[index].text += line + "\n" }
    }
  }

  subscript(anchor: String) -> Section? { sections.first { $0.anchor == anchor } }

  /// The anchor that a heading gets: lower case, hyphens for spaces, no other punctuation.
  static func slug(_ title: String) -> String {
    String(
      title.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "-" || character == "_" ? character : nil
      })
  }

  /// The names of all guides.
  static var guideNames: [String] {
    let folder = Repository.root.appendingPathComponent("docs/guides")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
  }

  /// The pages and anchors of keys in the reference of the flow format, by `construct.key`.
  static let referenceAnchors: [String: String] = {
    var anchors: [String: String] = [:]
    for name in ConstructName.allCases {
      let file = "reference/flow-format/\(name.rawValue)"
      for section in GuideSections(page: file)?.sections ?? [] where section.level == 2 {
        anchors["\(name.rawValue).\(section.title.filter { $0 != "`" })"] = "\(file).md#\(section.anchor)"
      }
    }
    return anchors
  }()
}

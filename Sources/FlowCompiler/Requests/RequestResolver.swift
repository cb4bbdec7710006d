internal import Authorization
internal import Boxes
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics
internal import WebSyntax

/// Resolves the templates of a flow once, before any response exists.
///
/// Reports values that cannot be resolved, with their source location.
struct RequestResolver {
  var scope: ResolutionScope
  var diagnostics = DiagnosticBag()
  /// A cache of parsed base URLs. Most flows of a file share one.
  private var baseURLs: [String: BaseURL] = [:]
  /// How the requests of the previous flow are sent. Most flows of a file share one.
  @BoxedIfPresent var sharedTransfer: SharedTransfer?

  init(scope: ResolutionScope) { self.scope = scope }

  /// Returns the request plan; nil after an error was reported.
  ///
  /// Templates that are filled in only while the flow runs are replaced by placeholders.
  mutating func request(_ declared: RequestDeclaration, of flow: String) -> RequestPlan? {
    let base = resolve(declared.baseURL)
    let expanded = expanded(declared)
    let path = expanded.flatMap { expanded in
      resolve(expanded.path).map {
        ResolvedText(text: $0.text, isSecret: $0.isSecret || expanded.isSecret)
      }
    }
    let query = (expanded?.query ?? []) + declared.query.flatMap { each($0) ?? [] }
    let headers = declared.headers.flatMap { header($0) }
    let body = declared.body.flatMap { self.body($0) }
    guard !diagnostics.hasErrors, let base, let path, let method = Resource.Method(rawValue: declared.method) else {
      return nil
    }
    let baseURL: BaseURL
    do throws(ReactorError) {
      baseURL = try readBase(base.text)
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidURL.code, error.message, at: declared.baseURL.range))
      return nil
    }
    var fields = Headers(headers.map { Headers.Field($0.name, $0.text.text) })
    if let body, fields["Content-Type"] == nil { fields["Content-Type"] = body.contentType }
    if fields["Accept"] == nil { fields.fields.append(Headers.Field("Accept", "application/json")) }
    var resource = Resource(
      path: path.text, method: method, body: body?.bytes, headers: fields,
      query: query.map { Resource.QueryItem($0.name, $0.text.text, isUnescaped: declared.unescaped.contains($0.name)) })
    let url: String
    do throws(ReactorError) {
      if let declared = declared.url, !declared.value.isDynamic {
        guard let link = resolve(declared) else { return nil }
        resource.target = try LinkedURL.absolute(link.text, from: base.text, key: "resource.url")
      }
      url = try resource.url(relativeTo: baseURL)
      try resource.headers.check()
    } catch {
      diagnostics.report(
        Diagnostic(
          declared.url == nil ? FlowCode.invalidRequestPath.code : FlowCode.invalidURL.code, error.message,
          at: declared.path.range))
      return nil
    }
    let key = idempotencyKey(declared, of: flow, resource, url: url)
    if let value = key?.value, let name = declared.idempotency?.header.value { resource.headers[name] = value }
    let program = program(declared, of: flow)
    guard !diagnostics.hasErrors else { return nil }
    let isOpen = !declared.isDynamic && !base.isSecret && !path.isSecret && !query.contains { $0.text.isSecret }
    let shownURL = isOpen ? url : shownURL(base, path, declared, query)
    var plan = RequestPlan(baseURL: baseURL, baseText: base.text, resource: resource, shownURL: shownURL)
    plan.program = program
    plan.hasOwnURL = declared.url != nil
    plan.isGraphQL = declared.body?.isGraphQL ?? false
    plan.idempotencyHeader = declared.idempotency?.header.value
    plan.shownHeaders = headers.map { "\($0.name): \($0.shown)" } + [key?.shown].compactMap { $0 }
    plan.shownBody = body?.shown
    plan.mask = base.isSecret || path.isSecret ? URLMask(hiding: url, behind: shownURL) : nil
    plan.hidesPath = declared.baseURL.value.usesSecret || declared.path.value.usesSecret
    plan.hidesURL = plan.hidesPath || declared.query.contains { $0.value.value.usesSecret }
    plan.secretHeaderNames = headers.filter(\.text.isSecret).map(\.name)
    plan.hasSecretBody = body?.isSecret ?? false
    plan.holdsSecret = !isOpen || !plan.secretHeaderNames.isEmpty
    return plan
  }

  /// Fills in the braces of the path (RFC 6570); nil after an error was reported.
  ///
  /// - Returns: the path, the query parameters from the braces, and whether a value is a secret
  private mutating func expanded(
    _ declared: RequestDeclaration
  ) -> (path: Located<Template>, query: [Named], isSecret: Bool)? {
    // When values are known only later, the braces stay in the path as written.
    let isLater = declared.params.contains { $0.value.value.isDynamic }
    guard !declared.params.isEmpty, !isLater else { return (declared.path, [], false) }
    var values: [String: [String]] = [:]
    var isSecret = false
    for param in declared.params {
      guard let elements = each(param) else { return nil }
      values[param.name.value, default: []] += elements.map(\.text.text)
      isSecret = isSecret || elements.contains { $0.text.isSecret }
    }
    var segments: [Template.Segment] = []
    var query: [Named] = []
    for segment in declared.path.value.segments {
      guard case .text(let text) = segment else {
        segments.append(segment)
        continue
      }
      let expanded: (path: String, query: [(name: String, value: String)])
      do throws(BracesError) {
        expanded = try URITemplate.expanding(text, with: values)
      } catch {
        let param = declared.params.first { $0.name.value == error.param }
        let code = param == nil ? FlowCode.invalidRequestPath : .expressionValue
        diagnostics.report(Diagnostic(code.code, error.message, at: param?.value.range ?? declared.path.range))
        return nil
      }
      if !expanded.path.isEmpty { segments.append(.text(expanded.path)) }
      query += expanded.query.map { name, value in
        Named(name: name, text: ResolvedText(text: value, isSecret: isSecret), shown: isSecret ? Secret.mask : value)
      }
    }
    return (Located(Template(segments), at: declared.path.range), query, isSecret)
  }

  /// Returns the program that builds requests while the flow runs.
  ///
  /// Nil when the request is fully known, or after an error was reported.
  private mutating func program(_ declared: RequestDeclaration, of flow: String) -> RequestProgram? {
    guard declared.isDynamic else { return nil }
    do throws(ResolutionError) {
      return try RequestProgram(declared, of: flow, in: scope)
    } catch {
      report(error, at: declared.path.range)
      return nil
    }
  }

  private mutating func readBase(_ text: String) throws(ReactorError) -> BaseURL {
    if let known = baseURLs[text] { return known }
    let base = try BaseURL(parsing: text)
    baseURLs[text] = base
    return base
  }

  struct Named {
    var name: String
    var text: ResolvedText
    /// The value with secrets masked.
    var shown: String
  }

  mutating func named(_ template: NamedTemplate) -> Named? {
    resolve(template.value).map {
      Named(name: template.name.value, text: $0, shown: $0.isSecret ? template.value.value.sourceText : $0.text)
    }
  }

  /// Resolves a header; empty if it is left out, or after an error was reported.
  private mutating func header(_ template: NamedTemplate) -> [Named] {
    template.value.value.isOptional ? each(template) ?? [] : named(template).map { [$0] } ?? []
  }

  /// Resolves a parameter that may be repeated.
  ///
  /// A list gives one value for each element, and an empty list gives no value.
  ///
  /// Nil after an error was reported.
  mutating func each(_ template: NamedTemplate) -> [Named]? {
    do throws(ResolutionError) {
      return try template.value.value.resolveEach(with: scope).map {
        Named(name: template.name.value, text: $0, shown: $0.isSecret ? template.value.value.sourceText : $0.text)
      }
    } catch {
      report(error, at: template.value.range)
      return nil
    }
  }

  mutating func report(_ error: ResolutionError, at range: SourceRange) {
    var diagnostic = error.diagnostic
    if diagnostic.range == nil { diagnostic.range = range }
    diagnostics.report(diagnostic)
  }

  mutating func resolve(
    _ template: Located<Template>, for destination: Template.Destination = .line
  ) -> ResolvedText? {
    do throws(ResolutionError) {
      return try template.value.resolve(with: scope, for: destination)
    } catch {
      report(error, at: template.range)
      return nil
    }
  }

  /// The URL without secrets.
  ///
  /// A template that uses a secret is shown as it is written in the flow file.
  private func shownURL(
    _ base: ResolvedText, _ path: ResolvedText, _ declared: RequestDeclaration, _ query: [Named]
  ) -> String {
    if let url = declared.url { return url.value.sourceText }
    var text = (base.isSecret ? declared.baseURL.value.sourceText : base.text)
    let shownPath = path.isSecret ? declared.path.value.sourceText : path.text
    if !text.hasSuffix("/"), !shownPath.hasPrefix("/") { text += "/" }
    text += shownPath
    if !query.isEmpty { text += "?" + query.map { "\($0.name)=\($0.shown)" }.joined(separator: "&") }
    return text
  }

  /// A resolved body with its content type.
  struct Body {
    var bytes: [UInt8]
    var contentType: String
    var shown: String
    var isSecret: Bool
  }

  private mutating func body(_ declaration: BodyDeclaration) -> Body? {
    switch declaration {
    case .records(let records): return sentBody(records)
    case .json(let template), .graphql(let template):
      do throws(ResolutionError) {
        let resolved = try template.value.resolve(with: scope)
        let bytes = JSONWriter.bytes(resolved.value)
        return Body(
          bytes: bytes, contentType: "application/json",
          shown: resolved.isSecret
            ? "JSON of \(bytes.count) bytes, with secrets" : String(decoding: bytes, as: UTF8.self),
          isSecret: resolved.isSecret)
      } catch {
        diagnostics.report(error.diagnostic)
        return nil
      }
    case .form(let pairs):
      let resolved = pairs.flatMap { each($0) ?? [] }
      let text = resolved.map { "\(FormText.encoded($0.name))=\(FormText.encoded($0.text.text))" }
      return Body(
        bytes: Array(text.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded",
        shown: resolved.map { "\($0.name)=\($0.shown)" }.joined(separator: "&"),
        isSecret: resolved.contains { $0.text.isSecret })
    case .text(let template):
      guard let resolved = resolve(template, for: .body) else { return nil }
      return Body(
        bytes: Array(resolved.text.utf8), contentType: "text/plain; charset=utf-8",
        shown: resolved.isSecret ? template.value.sourceText : resolved.text, isSecret: resolved.isSecret)
    }
  }
}

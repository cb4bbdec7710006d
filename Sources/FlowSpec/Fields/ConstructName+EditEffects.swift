extension ConstructName {
  /// What an edit of each key means for persisted results.
  ///
  /// Every key has an answer here. `asksAnew` holds for what changes the requests, the records or their order; what only
  /// decides when, how fast or by which way a server is asked keeps the result.
  var effects: [String: EditEffect] {
    switch self {
    case .file:
      [
        "reactor": .keepsResult, "description": .keepsResult, "secrets": .keepsResult, "vars": .whereUsed,
        "schemas": .whereUsed, "http": .byItsKeys, "defaults": .byItsKeys, "flows": .byItsKeys,
      ]
    case .variable: ["type": .whereUsed, "default": .whereUsed, "description": .keepsResult]
    case .http:
      [
        "base_url": .asksAnew, "headers": .asksAnew, "auth": .byItsKeys, "timeout": .keepsResult,
        "max_bytes": .keepsResult, "redirects": .asksAnew, "allow": .keepsResult, "ca_file": .keepsResult,
        "proxy": .keepsResult, "rate": .keepsResult,
      ]
    case .auth, .basic, .apiKey, .oauth2, .login, .loginStep: authEffects
    case .defaults:
      [
        "tags": .keepsResult, "prune": .asksAnew, "reachability": .keepsResult, "wait": .keepsResult,
        "retry": .keepsResult, "errors": .byItsKeys, "persistence": .keepsResult,
      ]
    case .defaultPersistence: ["expires_after": .keepsResult, "fail_on_save_error": .keepsResult]
    case .flow: Self.flowEffects
    case .resource:
      [
        "method": .asksAnew, "path": .asksAnew, "params": .asksAnew, "query": .asksAnew, "headers": .asksAnew,
        "body": .byItsKeys, "idempotency": .keepsResult,
      ]
    case .body:
      ["json": .asksAnew, "form": .asksAnew, "text": .asksAnew, "graphql": .byItsKeys, "records": .byItsKeys]
    case .graphql: ["query": .asksAnew, "variables": .asksAnew, "operation": .asksAnew]
    case .sentRecords:
      ["schema": .asksAnew, "format": .asksAnew, "at": .asksAnew, "envelope": .asksAnew, "nulls": .asksAnew]
    // The same request under another key is the same request.
    case .idempotency: ["header": .keepsResult, "key": .keepsResult]
    case .each: Self.sourceEffects.merging(Self.eachEffects) { _, own in own }
    case .eachPart: Self.sourceEffects
    case .eachBatch: ["size": .asksAnew, "results": .asksAnew, "failed": .asksAnew, "reason": .keepsResult]
    case .reshape: ["each": .asksAnew]
    case .change: ["flatten": .byItsKeys, "rename": .asksAnew, "remove": .asksAnew, "add": .asksAnew]
    case .flatten: ["separator": .asksAnew, "depth": .asksAnew]
    case .persistence:
      [
        "path": .movesResult, "mode": .asksAnewWithoutCursor, "delete_when": .asksAnew, "expires_after": .keepsResult,
        "fail_on_save_error": .keepsResult,
      ]
    case .expect:
      [
        "min": .asksAnewWithoutCursor, "max": .asksAnewWithoutCursor, "total": .asksAnewWithoutCursor,
        "max_rejected": .asksAnewWithoutCursor, "status": .asksAnew,
      ]
    case .fixture: ["mask": .keepsResult, "match": .keepsResult, "max_age": .keepsResult]
    case .fixtureMatch:
      ["headers": .keepsResult, "ignore_query": .keepsResult, "ignore_body": .keepsResult, "repeat": .keepsResult]
    case .pages: Self.pagesEffects
    // The result is complete up to the remembered value, wherever the next run begins and ends.
    case .cursor:
      [
        "field": .asksAnew, "start": .asksAnew, "query": .asksAnew, "end_query": .asksAnew, "end": .keepsResult,
        "format": .keepsResult, "lookback": .keepsResult, "slice": .keepsResult, "bounds": .keepsResult,
      ]
    case .retry:
      [
        "max": .keepsResult, "on": .keepsResult, "backoff": .keepsResult, "wait": .keepsResult,
        "max_wait": .keepsResult, "honour": .keepsResult, "idempotent": .keepsResult,
      ]
    case .rate: ["max": .keepsResult, "concurrency": .keepsResult, "follow": .keepsResult]
    case .errorRule: ["when": .asksAnew, "do": .asksAnew, "message": .keepsResult]
    case .schemaFile: ["reactor": .keepsResult, "description": .keepsResult, "schemas": .whereUsed]
    case .schema: ["description": .keepsResult, "key": .asksAnew, "fields": .byItsKeys]
    case .field: Self.elementEffects.merging(Self.fieldEffects) { _, own in own }
    case .element: Self.elementEffects
    }
  }

  private static let flowEffects: [String: EditEffect] = [
    "description": .keepsResult, "tags": .keepsResult, "resource": .byItsKeys, "each": .byItsKeys,
    "records": .asksAnew, "reshape": .asksAnew, "change": .byItsKeys, "schema": .asksAnew, "where": .asksAnew,
    "prune": .asksAnew, "reachability": .keepsResult, "wait": .keepsResult, "persistence": .byItsKeys,
    "conditional": .keepsResult, "rejected": .keepsResult, "pages": .asksAnew, "cursor": .asksAnew,
    "deadline": .keepsResult, "retry": .keepsResult, "errors": .byItsKeys, "expect": .byItsKeys, "auth": .byItsKeys,
    "fixture": .keepsResult, "http": .byItsKeys,
  ]

  private static let sourceEffects: [String: EditEffect] = [
    "flow": .asksAnew, "values": .asksAnew, "file": .asksAnew, "schema": .asksAnew, "as": .asksAnew,
    "limit": .asksAnew, "key": .asksAnew, "only": .asksAnew,
  ]

  private static let eachEffects: [String: EditEffect] = [
    "product": .asksAnew, "batch": .byItsKeys, "concurrency": .keepsResult, "on_error": .asksAnewWithoutCursor,
    "add": .asksAnew, "max_failed": .keepsResult,
  ]

  private static let pagesEffects: [String: EditEffect] = [
    "by": .asksAnew, "from": .asksAnew, "from_header": .asksAnew, "from_last": .asksAnew, "next": .asksAnew,
    "stop": .asksAnew, "query": .asksAnew, "header": .asksAnew, "body": .asksAnew, "first": .asksAnew,
    "size": .asksAnew, "size_query": .asksAnew, "count": .asksAnew, "more": .asksAnew, "max": .asksAnew,
    "parallel": .keepsResult, "partial": .asksAnew, "missing": .asksAnew, "rel": .asksAnew,
  ]

  private static let elementEffects: [String: EditEffect] = [
    "type": .asksAnew, "values": .asksAnew, "of": .asksAnew, "fields": .asksAnew, "schema": .asksAnew,
    "format": .asksAnew,
  ]

  private static let fieldEffects: [String: EditEffect] = [
    "from": .asksAnew, "value": .asksAnew, "optional": .asksAnew, "default": .asksAnew, "description": .keepsResult,
  ]

  /// Of credentials their declaration counts, and not the values of secrets, which change while the account stays.
  private var authEffects: [String: EditEffect] {
    switch self {
    case .basic: ["username": .asksAnew, "password": .asksAnew]
    case .apiKey: ["header": .asksAnew, "query": .asksAnew, "body": .asksAnew, "value": .asksAnew]
    case .oauth2:
      Self.tokenEffects.merging([
        "grant": .asksAnew, "token_url": .asksAnew, "client_id": .asksAnew, "client_secret": .asksAnew,
        "refresh_token": .asksAnew, "single_use": .keepsResult, "scopes": .asksAnew, "audience": .asksAnew,
        "params": .asksAnew, "send": .keepsResult,
      ]) { _, own in own }
    case .login:
      Self.tokenEffects.merging([
        "steps": .byItsKeys, "base_url": .asksAnew, "resource": .byItsKeys, "token": .asksAnew,
        "token_header": .asksAnew, "expires": .keepsResult,
      ]) { _, own in own }
    case .loginStep: ["resource": .byItsKeys, "capture": .asksAnew]
    default:
      [
        "bearer": .asksAnew, "basic": .byItsKeys, "api_key": .byItsKeys, "oauth2": .byItsKeys, "login": .byItsKeys,
      ]
    }
  }

  private static let tokenEffects: [String: EditEffect] = [
    "header": .asksAnew, "query": .asksAnew, "value": .asksAnew,
  ]
}

// Texts that a person reads and that may quote a server, a file or a URL. Whoever runs a flow changes all of them in one
// way, for example to mask secrets.

extension ReactorError {
  /// Returns the error with `change` applied to each of its texts.
  package func mapTexts(_ change: (String) -> String) -> ReactorError {
    var error = self
    error.message = change(message)
    error.help = help.map(change)
    error.pointer = pointer.map(change)
    error.path = path.map(change)
    return error
  }
}

extension PersistenceMiss {
  /// Returns the reason with `change` applied to its text.
  package func mapTexts(_ change: (String) -> String) -> PersistenceMiss {
    switch self {
    case .unreadable(let reason): .unreadable(change(reason))
    case .inputChanged(let path): .inputChanged(change(path))
    case .absent, .expired, .askedEachRun, .positionUnknown, .otherResource, .schemaChanged, .disabled, .skipped: self
    }
  }
}

extension PruneReport.Rejection {
  fileprivate func mapTexts(_ change: (String) -> String) -> PruneReport.Rejection {
    PruneReport.Rejection(index: index, pointer: change(pointer), reason: change(reason), help: help.map(change))
  }
}

extension PruneReport {
  /// Returns the report with `change` applied to each text of its rejections.
  package func mapTexts(_ change: (String) -> String) -> PruneReport {
    var report = self
    report.mapRejections { $0.mapTexts(change) }
    return report
  }
}

extension SaveOutcome {
  fileprivate func mapTexts(_ change: (String) -> String) -> SaveOutcome {
    if case .failedTolerated(let error) = self { .failedTolerated(error.mapTexts(change)) } else { self }
  }
}

extension FetchSummary {
  /// Returns the summary with `change` applied to each of its texts.
  package func mapTexts(_ change: (String) -> String) -> FetchSummary {
    var summary = self
    summary.miss = miss?.mapTexts(change)
    summary.report = report.mapTexts(change)
    summary.save = save.mapTexts(change)
    summary.shortfall = shortfall?.mapTexts(change)
    return summary
  }
}

extension FlowEvent {
  /// Returns the event with `change` applied to each of its texts.
  package func mapTexts(_ change: (String) -> String) -> FlowEvent {
    switch self {
    case .failed(let step, let error): .failed(step, error.mapTexts(change))
    case .missed(let miss): .missed(miss.mapTexts(change))
    case .waitingForRun(let path): .waitingForRun(path: change(path))
    case .cutShort(let error): .cutShort(error.mapTexts(change))
    case .pruned(let report): .pruned(report.mapTexts(change))
    case .advanced(let from, let to): .advanced(from: from.map(change), to: to.map(change))
    case .warned(let warning): .warned(FlowWarning(warning.kind, warning.error.mapTexts(change)))
    case .unstamped(let error): .unstamped(error.mapTexts(change))
    case .started, .finished, .received, .paged, .retrying, .waiting, .saveDeferred, .saveWithheld: self
    }
  }
}

/// Additional flows that the flow of a stream needs.
extension ManifestTranslator {
  /// Adds a flow that writes the fields of another flow's schema to a file beside the flow file.
  mutating func describe(_ description: FieldDescription, for records: FlowDraft) -> FlowDraft {
    let draft = FlowDraft(flowNames.next("\(records.name)_fields"), at: OutputMapping.Origin(description.component))
    var translator = StreamTranslator(
      context: context, draft: draft, names: context.names(of: description.listing))
    translator.translate(description.listing) { flow($0, isParent: true) }
    translator.listFields(description)
    draft.file = .text(context.path("\(records.name)_fields.jsonl"))
    context.examples["\(records.name)_fields.jsonl"] = []
    flows.append(draft)
    return draft
  }

  /// Adds the flow that stores the files of a stream's records.
  mutating func files(_ uploader: Component, of records: FlowDraft, _ stream: Component) {
    let draft = FlowDraft(flowNames.next("\(records.name)_files"), at: OutputMapping.Origin(uploader))
    var translator = StreamTranslator(context: context, draft: draft, names: context.names(of: stream))
    translator.files(uploader, of: records)
    guard draft.keys["download"] == nil else { return flows.append(draft) }
    // Without a flow for the files, their losses are noted at the flow of the records.
    for case .comment(let text) in draft.keys.items { records.keys.note(text) }
  }
}

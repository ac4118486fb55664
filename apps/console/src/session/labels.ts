let labels: ReadonlyMap<string, string> = new Map()

/** A text of the interface, replaced by the company's wording when there is one. */
export function t(text: string): string {
  return labels.get(text) ?? text
}

/** Stores the label/value pairs of the frame; an empty value keeps the original text. */
export function setLabels(pairs: readonly { label: string; value: string }[]): void {
  labels = new Map(pairs.filter((pair) => pair.value !== '').map((pair) => [pair.label, pair.value]))
}

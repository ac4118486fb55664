/** Whoever went on in another field while the answer was on its way is not called away from it. `sentFrom` had the focus when the form was sent. */
export function isInOtherField(sentFrom: Element | null): boolean {
  const { activeElement } = document
  return activeElement !== sentFrom && activeElement?.matches('input, textarea, [contenteditable=true]') === true
}

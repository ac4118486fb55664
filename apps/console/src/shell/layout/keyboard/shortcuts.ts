const singleKeysOff = 'outpost.single-keys'

/** Whether shortcuts of one key work; people who dictate or tremble switch them off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(singleKeysOff) !== 'off'
}

export function switchSingleKeys(isOn: boolean): void {
  localStorage.setItem(singleKeysOff, isOn ? 'on' : 'off')
}

/** True when the key belongs to what the user is typing into, or to a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input, textarea, select, [role=combobox], [role=textbox]') ||
    target.closest('[role=dialog]') !== null
  )
}

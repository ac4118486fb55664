export interface Shortcut {
  /** Shown in the help, e.g. 'Ctrl K'. */
  keys: string[]
  label: string
  group: 'Everywhere' | 'Lists and records' | 'Forms'
  /** Typed without a modifier: can be switched off (WCAG 2.1.4). */
  isSingleKey?: boolean
}

/** Every shortcut of the console, as the help lists them. */
export const shortcuts: readonly Shortcut[] = [
  { group: 'Everywhere', keys: ['Ctrl K'], label: 'Search screens, records and actions' },
  { group: 'Everywhere', keys: ['/'], label: 'Search', isSingleKey: true },
  { group: 'Everywhere', keys: ['['], label: 'Collapse or open the menu', isSingleKey: true },
  { group: 'Everywhere', keys: ['g', 'h'], label: 'Go to the start page', isSingleKey: true },
  { group: 'Everywhere', keys: ['?'], label: 'Keyboard shortcuts', isSingleKey: true },
  { group: 'Everywhere', keys: ['Esc'], label: 'Close what is open' },
  { group: 'Lists and records', keys: ['j'], label: 'Next record in the side panel', isSingleKey: true },
  { group: 'Lists and records', keys: ['k'], label: 'Previous record in the side panel', isSingleKey: true },
  { group: 'Forms', keys: ['Ctrl S'], label: 'Save' },
]

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

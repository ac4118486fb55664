/** A key and what it does; declared in a `*.shortcuts.ts` beside what listens for it, listed by the keyboard help. */
export interface Shortcut {
  /** Pressed together where joined by a space ('Ctrl K'), one after the other where several. */
  keys: readonly string[]
  label: string
  /** Typed without a modifier: can be switched off (WCAG 2.1.4). */
  isSingleKey?: boolean
}

/** The shortcuts of one part of the console, under one heading. */
export interface ShortcutGroup {
  group: string
  /** Its place in the help, in tens. */
  order: number
  shortcuts: readonly Shortcut[]
}

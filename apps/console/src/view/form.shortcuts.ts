import type { ShortcutGroup } from '../session/shortcut.ts'

export const formKeys: ShortcutGroup = {
  group: 'Forms',
  order: 30,
  shortcuts: [
    { keys: ['Ctrl S'], label: 'Save' },
    { keys: ['Enter'], label: 'Next line, in a table of lines' },
    { keys: ['Alt Delete'], label: 'Remove line' },
  ],
}

import type { ShortcutGroup } from '../../session/shortcut.ts'

export const plannerKeys: ShortcutGroup = {
  group: 'Route plans',
  order: 60,
  shortcuts: [
    { keys: ['Ctrl z'], label: 'Undo' },
    { keys: ['Ctrl y'], label: 'Redo' },
    { keys: ['[', ']'], label: 'Day before or after' },
    { keys: ['t'], label: 'Today' },
  ],
}

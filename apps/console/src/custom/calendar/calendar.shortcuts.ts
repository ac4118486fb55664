import type { ShortcutGroup } from '../../session/shortcut.ts'

export const calendarKeys: ShortcutGroup = {
  group: 'Calendar',
  order: 50,
  shortcuts: [
    { keys: ['m'], label: 'Month' },
    { keys: ['w'], label: 'Week' },
    { keys: ['d'], label: 'Day' },
    { keys: ['a'], label: 'Agenda' },
    { keys: ['g'], label: 'Agents side by side' },
    { keys: ['t'], label: 'Today' },
    { keys: ['←', '→'], label: 'Earlier or later' },
    { keys: ['c'], label: 'New activity' },
  ],
}

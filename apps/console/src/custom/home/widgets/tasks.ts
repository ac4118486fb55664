import { tile, type HomeWidget } from '../tile.ts'

const screen = '/tasks'

/** Of tasks. */
export const taskWidgets: readonly HomeWidget[] = [
  tile('my-tasks', 'My tasks', screen),
  tile('my-tasks-overdue', 'My overdue tasks', screen),
  tile('tasks-overdue', 'Overdue tasks', screen),
]

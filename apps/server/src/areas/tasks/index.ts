/** What other areas may ask of tasks. */
export { openTaskStates, task } from './task.resource.ts'
export { handOverTask } from './task.hand-over.ts'
export { tasksArea } from './tasks.area.ts'

import { may } from '../../kernel/area.ts'
import type { State, WorkflowDefinition } from '../../kernel/workflow/types.ts'

const why = { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } as const
/** Who has work to do in the field says how far it is, without the right to change others' work. */
export const doWork = may('SALES/ACTIVITIES/ACTIVITIES/EDIT', 'SALES/AGENTS/MYWORK')

export const taskStates = {
  Open: { meaning: 'open', colour: 'gold' },
  'In progress': { meaning: 'started', colour: 'blue' },
  Done: { meaning: 'done', colour: 'green' },
  Cancelled: { meaning: 'cancelled', colour: 'default' },
} as const satisfies Record<string, State>

/** A task is begun, done or called off; what was closed too early is opened again. */
export const taskWorkflow: WorkflowDefinition<'status' | 'statusReason'> = {
  field: 'status',
  label: 'Status',
  route: 'tasks.move',
  many: 'tasks.moveMany',
  // One button that devices can keep, too.
  choose: 'Change status',
  kept: { reason: 'statusReason' },
  path: ['Open', 'In progress', 'Done'],
  states: taskStates,
  moves: [
    { name: 'start', from: ['Open'], to: 'In progress', access: doWork },
    { name: 'done', from: ['Open', 'In progress'], to: 'Done', access: doWork },
    { name: 'cancel', from: ['Open', 'In progress'], to: 'Cancelled', access: doWork, ask: why },
    { name: 'reopen', from: ['Done', 'Cancelled'], to: 'Open', access: doWork },
  ],
}

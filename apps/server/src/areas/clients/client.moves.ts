import { may } from '../../kernel/area.ts'
import type { MoveDefinition, WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { convertItsLead } from './client.of-lead.ts'
import { refuseRunning } from './client.running.ts'

const why = { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } as const
const change = may('CLIENTS/EDIT')
const moveOf = (name: string, label: string, rest: Pick<MoveDefinition, 'from' | 'to' | 'danger' | 'refuse'>): MoveDefinition => ({
  name,
  label,
  access: change,
  ask: why,
  ...rest,
})

/** Whether the company does business with a client: each change says why. */
export const clientWorkflow: WorkflowDefinition<'status' | 'statusReason'> = {
  field: 'status',
  begun: convertItsLead,
  route: 'clients.move',
  many: 'clients.moveMany',
  kept: { reason: 'statusReason' },
  states: {
    Active: { meaning: 'open', colour: 'green' },
    Inactive: { meaning: 'started', colour: 'gold' },
    Closed: { meaning: 'cancelled', colour: 'default' },
  },
  moves: [
    moveOf('deactivate', 'Deactivate', { from: ['Active'], to: 'Inactive' }),
    moveOf('activate', 'Activate', { from: ['Inactive'], to: 'Active' }),
    moveOf('close', 'Close', { from: ['Active', 'Inactive'], to: 'Closed', danger: true, refuse: refuseRunning }),
    moveOf('reopen', 'Reopen', { from: ['Closed'], to: 'Active' }),
  ],
}

import { tile, type HomeWidget } from '../tile.ts'

/** Of clients, applications and loans. */
export const lendingWidgets: readonly HomeWidget[] = [
  tile('clients-papers', 'Papers that expire', '/clients/list'),
  tile('promises-due', 'Promises to pay that are due', '/loans/promises'),
  { ...tile('applications-decision', 'Applications for me to decide', '/sales/applications'), asks: 'LOAN/DISBURSEMENTS' },
]

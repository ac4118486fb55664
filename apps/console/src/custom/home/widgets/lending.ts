import { tile, type HomeWidget } from '../tile.ts'

/** Of clients and applications. */
export const lendingWidgets: readonly HomeWidget[] = [
  tile('clients-papers', 'Papers that expire', '/clients/list'),
  { ...tile('applications-decision', 'Applications for me to decide', '/sales/applications'), asks: 'LOAN/DISBURSEMENTS' },
]

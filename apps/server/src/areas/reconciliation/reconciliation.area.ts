import { z } from 'zod'
import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { emptyAnswer } from '../../kernel/resource/answers.ts'
import { command, get, list } from '../../kernel/resource/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { booksNews } from './difference.news.ts'
import { moneyDifference } from './difference.resource.ts'
import { differenceTiles } from './difference.tiles.ts'
import { runJob, runNow } from './run.ts'

const see = may('LOAN/DISBURSEMENTS')
const own = { own: true }
const path = '/api/reconciliation/differences'

/** Reconciliation: schedule, ledger, balances and statements of providers against each other, every night and when asked. */
export const reconciliationArea = defineArea({
  name: 'reconciliation',
  notifications: [booksNews],
  tiles: differenceTiles,
  resources: [moneyDifference],
  jobs: [runJob],
  routes: [
    route('differences.list', 'GET', path, see, list(moneyDifference), own),
    route('differences.run', 'POST', '/api/reconciliation/run', see, command(z.strictObject({}), runNow, emptyAnswer), { own: true, summary: 'Compares the books with themselves and with statements' }),
    route('differences.get', 'GET', `${path}/:id`, see, get(moneyDifference), own),
    route('differences.timeline', 'GET', `${path}/:id/timeline`, see, history(moneyDifference), own),
    route('differences.move', 'POST', `${path}/:id/move`, see, move(moneyDifference), { own: true, summary: 'Accepts a difference with a reason' }),
  ],
  panels: [on('loan', by(moneyDifference, 'loanId', 'Differences in the books')), on('moneyStatement', by(moneyDifference, 'statementId', 'Found by night'))],
  screens: [
    screen('/loans/differences', see, listOf(moneyDifference, { source: 'differences.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'loans', label: 'Differences in the books', icon: 'warning', order: 52 } }),
    screen('/loans/differences/:id/view', see, detailOf(moneyDifference, { overrides: { sections: [
      { rows: [['kind', 'what'], ['status', 'statusReason'], ['stated', 'booked'], ['difference', 'reference'], ['day', 'dayBooked']] },
      { title: 'Where', rows: [['loanId', 'paymentId'], ['disbursementId', 'statementId'], ['tenantId', 'foundAt'], ['dateCreated', 'goneAt']] },
    ] } })),
  ],
})

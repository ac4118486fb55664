import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move } from '../../kernel/workflow/operations.ts'
import * as handle from './statement.handlers.ts'
import { moneySource } from './source.resource.ts'
import { linesScreen, statementLine } from './statement-line.resource.ts'
import { moneyStatement, statementRule, withOwnNetworks } from './statement.resource.ts'

const own = { own: true }
const [see, rules] = [may('LOAN/DISBURSEMENTS'), may('ADMIN/SETTINGS')]
const path = '/api/statements'

/** Statements of banks and providers: read in, shown, booked once, and set against the books. */
export const statementsArea = defineArea({
  name: 'moneyStatements',
  resources: [moneyStatement, statementLine, statementRule, moneySource],
  routes: [
    route('statements.list', 'GET', path, see, list(moneyStatement), own),
    route('statementLines.list', 'GET', `${path}/lines`, see, list(statementLine), { own: true, summary: 'The lines of all statements, as each number of a statement opens them' }),
    route('moneySources.list', 'GET', `${path}/sources`, see, list(moneySource), own),
    route('statementRules.list', 'GET', `${path}/rules`, rules, list(statementRule), own),
    route('statementRules.get', 'GET', `${path}/rules/:id`, rules, get(statementRule), own),
    route('statementRules.create', 'POST', `${path}/rules`, rules, create(statementRule), own),
    route('statementRules.remove', 'POST', `${path}/rules/delete`, rules, remove(statementRule), own),
    route('statementRules.restore', 'POST', `${path}/rules/restore`, rules, restore(statementRule), own),
    route('statementRules.update', 'PUT', `${path}/rules/:id`, rules, update(statementRule), own),
    route('statements.get', 'GET', `${path}/:id`, see, get(moneyStatement), own),
    route('statements.timeline', 'GET', `${path}/:id/timeline`, see, history(moneyStatement), own),
    route('statements.lines', 'GET', `${path}/:id/lines`, see, query(idInput, handle.linesOf, handle.linesAnswer), { own: true, summary: 'The lines of a statement with what booking does' }),
    route('statements.differences', 'GET', `${path}/:id/differences`, see, query(idInput, handle.differencesOf, handle.differencesAnswer), { own: true, summary: 'Every difference between a statement and the books of its days' }),
    route('statements.read', 'POST', path, see, command(handle.readInput, handle.readIn, recordAnswer(moneyStatement)), { own: true, summary: 'Reads a CSV or an MT940 into a draft; books nothing', bodyLimit: 1_048_576 }),
    route('statements.book', 'POST', `${path}/:id/book`, see, command(idInput, handle.bookStatement, recordAnswer(moneyStatement)), { own: true, summary: 'Books a draft, all of it or none' }),
    route('statements.move', 'POST', `${path}/:id/move`, see, move(moneyStatement), { own: true, summary: 'Discards a draft' }),
  ],
  screens: [
    screen('/loans/statements', see, listOf(moneyStatement, { source: 'statements.list', refine: withOwnNetworks, overrides: { exportReport: 'exportList' } }), { menu: { under: 'loans', label: 'Statements', icon: 'file-chart', order: 50 } }),
    screen(linesScreen, see, listOf(statementLine, { source: 'statementLines.list', overrides: { exportReport: 'exportList' } })),
    screen('/loans/statements/:id/view', see, detailOf(moneyStatement, { panels: [handle.linesPanel, handle.differencesPanel] })),
    screen('/loans/statement-rules', rules, listOf(statementRule, { source: 'statementRules.list' }), { menu: { under: 'loans', label: 'Rules for statements', icon: 'funnel', order: 51 } }),
    screen('/loans/statement-rules/add', rules, formOf(statementRule)),
    screen('/loans/statement-rules/:id/edit', rules, formOf(statementRule)),
    screen('/loans/statement-rules/:id/view', rules, detailOf(statementRule)),
  ],
})

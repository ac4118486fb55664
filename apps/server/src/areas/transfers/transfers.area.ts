import { verdictsAnswer } from '../../kernel/assigning.ts'
import { defineArea, may, route } from '../../kernel/area.ts'
import { transfersAnswer, transfersOf, transfersPanel } from '../../kernel/keeps/transfers.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { on } from '../../kernel/screens/panels.ts'
import { client } from '../clients/index.ts'
import { loan } from '../loans/index.ts'
import * as handle from './transfers.ts'

const own = { own: true }

/** Loans and clients that go to another branch or officer, and where they were before. */
export const transfersArea = defineArea({
  name: 'transfers',
  routes: [
    route('transfers.loans', 'POST', '/api/loans/transfer', may('LOAN/DISBURSEMENTS'), command(handle.loansInput, handle.transferLoans, verdictsAnswer), { own: true, summary: 'Gives loans to another branch or officer, with a verdict on each' }),
    route('transfers.clients', 'POST', '/api/clients/transfer', may('CLIENTS/EDIT'), command(handle.clientsInput, handle.transferClients, verdictsAnswer), { own: true, summary: 'Gives clients to another branch or agent, with a verdict on each' }),
    route('transfers.ofLoan', 'GET', '/api/loans/:id/transfers', may('CLIENTS', 'LOAN/DISBURSEMENTS'), query(idInput, (ctx, { id }) => transfersOf(ctx, loan, id), transfersAnswer), own),
    route('transfers.ofClient', 'GET', '/api/clients/:id/transfers', may('CLIENTS'), query(idInput, (ctx, { id }) => transfersOf(ctx, client, id), transfersAnswer), own),
  ],
  panels: [on('loan', transfersPanel('transfers.ofLoan', 'loan')), on('client', transfersPanel('transfers.ofClient', 'client'))],
})

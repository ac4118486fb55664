import { defineArea, may, route } from '../../kernel/area.ts'
import { commentAnswer, commentInput } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { emptyAnswer, recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, update } from '../../kernel/resource/operations.ts'
import { idInput, writeSchemas } from '../../kernel/resource/schema.ts'
import { by, offeredOn, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { nameText } from '../../kernel/names.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move, moveMany } from '../../kernel/workflow/operations.ts'
import * as connection from './connection.ts'
import { collectionsReport } from './collecting/collections.report.ts'
import { balancesScreen, loanBalanceLine } from './page/balance-line.resource.ts'
import { compareAnswer, compareChange, comparePanel } from './changes/change.carry-out.ts'
import { feesAnswer, feesOfLoan, feesPanel } from './page/loan.terms.ts'
import { termsSection } from './page/term.fields.ts'
import { loanChange } from './changes/change.resource.ts'
import { oneApprovesUpTo } from './payouts/disbursement.limit.ts'
import { disbursement } from './payouts/disbursement.resource.ts'
import { strayPayout, strayTiles } from './payouts/stray.resource.ts'
import { strayNews } from './payouts/stray.ts'
import * as handle from './loan.handlers.ts'
import { quoteLetter, receipt, restructureLetter, statement } from './loan.letters.ts'
import { nightlyJob } from './loan.nightly.ts'
import { jointAnswer, jointInput, lendGroup, lendThisGroupAction, openJointLoanAction } from './joint/loan.joint.ts'
import * as panels from './loan.panels.ts'
import { loanMetrics } from './loan.metrics.ts'
import { loanTiles } from './loan.tiles.ts'
import { lendingOfClient } from './loan.timeline.ts'
import * as quotes from './loan.quotes.ts'
import { loan } from './loan.resource.ts'
import { mpesaRoutes, unknownReferences } from './payments/mpesa.ts'
import { signedMoneyRoutes } from './payments/signed.ts'
import { parReport } from './collecting/par.report.ts'
import { referenceTaken } from './payments/payment.book.ts'
import * as pay from './payments/payment.handlers.ts'
import { withNetworks, withProviders } from './payments/payment.network.ts'
import { payment } from './payments/payment.resource.ts'
import { paymentTiles, withSuspense } from './payments/payment.tiles.ts'
import { receiptsBy, receiptsJob, sendInput, sendReceipt } from './payments/receipt.ts'
import { promise } from './collecting/promise.resource.ts'
import { securitySale } from './securities/sale.resource.ts'
import { snapshotJob } from './snapshots/snapshot.job.ts'
import { settlement } from './changes/quote.resource.ts'
import { topUp, topUpInput } from './changes/top-up.ts'
import { tenantLoansReport } from './tenant-loans.report.ts'

/** SQL of the name of a row's client. */
const clientName = `(select ${nameText('c')} from client c where c."companyId" = t."companyId" and c."id" = t."clientId")`
const see = may('CLIENTS', 'LOAN/DISBURSEMENTS')
const decide = may('LOAN/DISBURSEMENTS')
const [seePayments, capture, editPayments] = [may('CLIENTS'), may('CLIENTS/CREATE'), may('CLIENTS/EDIT')]
const connect = may('ADMIN/SETTINGS')
const own = { own: true }
const byNetwork = withNetworks('network', { eq: ['channel', 'mobileMoney'] })

/** Loan accounts, their payouts, the payments that come in, and the promises of clients who are late. */
export const loansArea = defineArea({
  name: 'loans',
  errors: [referenceTaken],
  notifications: [strayNews],
  settings: [unknownReferences, receiptsBy, oneApprovesUpTo],
  reports: [parReport, tenantLoansReport, collectionsReport],
  metrics: loanMetrics,
  tiles: [...loanTiles, ...paymentTiles, ...strayTiles],
  counted: [
    { resource: loan, anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'], screens: ['/loans/accounts/:id/view'] },
    { resource: payment, anyOf: ['CLIENTS'], screens: ['/clients/payments/view/:id'] },
  ],
  palette: [
    { resource: loan, anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'], subtitle: `concat_ws(' · ', ${clientName}, t."productName", t."status")`, open: '/loans/accounts/', tail: '/view', branch: 'tenantId', order: 32 },
    { resource: payment, anyOf: ['CLIENTS'], subtitle: `concat_ws(' · ', ${clientName}, t."providerReference", t."status")`, open: '/clients/payments/view/', branch: 'tenantId', order: 34 },
    { resource: disbursement, anyOf: ['LOAN/DISBURSEMENTS'], subtitle: `concat_ws(' · ', ${clientName}, t."providerReference", t."status")`, open: '/disbursements/', tail: '/view', branch: 'tenantId', order: 36 },
  ],
  menu: [{ key: 'loans', label: 'Loan accounts', icon: 'book', order: 70 }],
  resources: [loan, loanBalanceLine, disbursement, strayPayout, payment, promise, loanChange, settlement, securitySale, connection.moneyConnection],
  jobs: [nightlyJob, snapshotJob, receiptsJob],
  routes: [
    route('loans.list', 'GET', '/api/loans', see, list(loan), own),
    route('loans.get', 'GET', '/api/loans/:id', see, get(loan), own),
    route('loans.timeline', 'GET', '/api/loans/:id/timeline', see, history(loan, { acts: { 'loan.transfer': 'Transferred' } }), own),
    route('loans.schedule', 'GET', '/api/loans/:id/schedule', see, query(idInput, panels.scheduleOfLoan, panels.scheduleAnswer), own),
    route('loans.transactions', 'GET', '/api/loans/:id/transactions', see, query(idInput, panels.transactionsOf, panels.transactionsAnswer), own),
    route('loans.fees', 'GET', '/api/loans/:id/fees', see, query(idInput, feesOfLoan, feesAnswer), { own: true, summary: 'The fees that a loan was agreed at' }),
    route('loanBalances.list', 'GET', '/api/loan-balances', see, list(loanBalanceLine), { own: true, summary: 'The lines that make the balances of loans' }),
    route('loans.statement', 'GET', '/api/loans/:id/statement', see, query(idInput, statement), { own: true, sends: 'application/pdf', summary: 'The statement of a loan as PDF' }),
    route('loans.settlement', 'GET', '/api/loans/:id/settlement', see, query(quotes.quoteInput, quotes.quoteOf, quotes.quoteAnswer), { own: true, summary: 'What settles a loan on a day' }),
    route('loans.settlementLetter', 'POST', '/api/loans/:id/settlement/pdf', see, query(quotes.quoteInput, quoteLetter), { own: true, sends: 'application/pdf' }),
    route('loans.restructurePreview', 'POST', '/api/loans/:id/restructure/preview', decide, query(quotes.restructureInput, quotes.previewOf, quotes.restructureAnswer), { own: true, summary: 'A loan at other terms beside what it is; changes nothing' }),
    route('loans.restructureLetter', 'POST', '/api/loans/:id/restructure/pdf', decide, query(quotes.restructureInput, restructureLetter), { own: true, sends: 'application/pdf' }),
    route('loans.create', 'POST', '/api/loans', decide, command(handle.newLoanInput, handle.newLoan, recordAnswer(loan)), { own: true, summary: 'Opens a loan account at whole terms, or at the usual ones' }),
    route('loans.topUp', 'POST', '/api/loans/:id/top-up', decide, command(topUpInput, topUp, recordAnswer(loan)), { own: true, summary: 'Opens a loan that pays a running one off' }),
    route('loans.lendGroup', 'POST', '/api/loans/joint', decide, command(jointInput, lendGroup, jointAnswer), { own: true, summary: 'Opens a joint loan of a group: a loan of each member, shared to the cent' }),
    route('loans.move', 'POST', '/api/loans/:id/move', decide, move(loan), own),
    route('loans.comment', 'POST', '/api/loans/:id/comments', see, command(commentInput, handle.commentOn(loan, '/loans/accounts/:id/view'), commentAnswer), own),
    ...fileRoutes(loan, { area: 'loans', path: '/api/loans', read: see, write: decide }),
    route('loans.update', 'PUT', '/api/loans/:id', decide, update(loan), own),

    route('disbursements.list', 'GET', '/api/disbursements', decide, list(disbursement), own),
    route('disbursements.get', 'GET', '/api/disbursements/:id', decide, get(disbursement), own),
    route('disbursements.timeline', 'GET', '/api/disbursements/:id/timeline', decide, history(disbursement), own),
    route('disbursements.create', 'POST', '/api/disbursements', decide, create(disbursement, { message: 'Disbursement requested' }), own),
    route('disbursements.comment', 'POST', '/api/disbursements/:id/comments', decide, command(commentInput, handle.commentOn(disbursement, '/disbursements/:id/view'), commentAnswer), own),
    route('disbursements.move', 'POST', '/api/disbursements/:id/move', decide, move(disbursement), own),
    route('disbursements.moveMany', 'POST', '/api/disbursements/move', decide, moveMany(disbursement), { own: true, summary: 'Moves disbursements on, with a verdict on each' }),
    route('disbursements.update', 'PUT', '/api/disbursements/:id', decide, update(disbursement), own),

    route('strayPayouts.list', 'GET', '/api/stray-payouts', decide, list(strayPayout), own),
    route('strayPayouts.get', 'GET', '/api/stray-payouts/:id', decide, get(strayPayout), own),
    route('strayPayouts.timeline', 'GET', '/api/stray-payouts/:id/timeline', decide, history(strayPayout), own),
    route('strayPayouts.move', 'POST', '/api/stray-payouts/:id/move', decide, move(strayPayout), { own: true, summary: 'Says what became of money that left twice' }),

    route('payments.list', 'GET', '/api/payments', seePayments, list(payment), own),
    route('payments.get', 'GET', '/api/payments/:id', seePayments, get(payment), own),
    route('payments.timeline', 'GET', '/api/payments/:id/timeline', seePayments, history(payment), own),
    route('payments.allocations', 'GET', '/api/payments/:id/allocations', seePayments, query(idInput, pay.allocationsOf, pay.allocationsAnswer), own),
    route('payments.suggestions', 'GET', '/api/payments/:id/suggestions', editPayments, query(idInput, pay.suggestionsFor, pay.suggestionsAnswer), { own: true, summary: 'Loans that a payment in suspense may be for' }),
    route('payments.receipt', 'GET', '/api/payments/:id/receipt', seePayments, query(idInput, receipt), { own: true, sends: 'application/pdf', summary: 'The receipt of a payment as PDF' }),
    route('payments.create', 'POST', '/api/payments', capture, { ...command(writeSchemas(payment).create, pay.createPayment, recordAnswer(payment)), kind: 'create', resource: payment }, own),
    route('payments.comment', 'POST', '/api/payments/:id/comments', seePayments, command(commentInput, handle.commentOn(payment, '/clients/payments/view/:id'), commentAnswer), own),
    route('payments.allocate', 'POST', '/api/payments/:id/allocate', editPayments, command(pay.allocateInput, pay.allocate, recordAnswer(payment)), own),
    route('payments.sendReceipt', 'POST', '/api/payments/:id/send-receipt', capture, command(sendInput, sendReceipt, recordAnswer(payment)), { own: true, limit: 30, summary: 'Sends the receipt of a payment to its client by mail or SMS' }),
    route('payments.release', 'POST', '/api/payments/:id/release', decide, command(pay.reasonInput, pay.release, recordAnswer(payment)), { own: true, summary: 'Takes a payment back from its loan into suspense' }),
    route('payments.allocateTo', 'POST', '/api/payments/:paymentId/allocate-to', editPayments, command(pay.allocateToInput, pay.allocateTo, recordAnswer(payment)), own),
    route('payments.reverse', 'POST', '/api/payments/:id/reverse', decide, command(pay.reasonInput, pay.reversal, recordAnswer(payment)), { own: true, summary: 'Reverses a payment by contra entries' }),
    route('payments.update', 'PUT', '/api/payments/:id', editPayments, update(payment), own),

    route('promises.list', 'GET', '/api/promises', see, list(promise), own),
    route('promises.get', 'GET', '/api/promises/:id', see, get(promise), own),
    route('promises.timeline', 'GET', '/api/promises/:id/timeline', see, history(promise), own),
    route('promises.create', 'POST', '/api/promises', capture, create(promise), own),
    route('promises.move', 'POST', '/api/promises/:id/move', editPayments, move(promise), own),
    route('promises.update', 'PUT', '/api/promises/:id', editPayments, update(promise), own),

    route('loanChanges.list', 'GET', '/api/loan-changes', see, list(loanChange), own),
    route('loanChanges.get', 'GET', '/api/loan-changes/:id', see, get(loanChange), own),
    route('loanChanges.timeline', 'GET', '/api/loan-changes/:id/timeline', see, history(loanChange), own),
    route('loanChanges.compare', 'GET', '/api/loan-changes/:id/compare', see, query(idInput, compareChange, compareAnswer), { own: true, summary: 'A schedule before and after, row by row' }),
    route('loanChanges.create', 'POST', '/api/loan-changes', decide, create(loanChange, { message: 'Asked for; another person decides' }), own),
    route('loanChanges.move', 'POST', '/api/loan-changes/:id/move', decide, move(loanChange), own),
    route('loanChanges.update', 'PUT', '/api/loan-changes/:id', decide, update(loanChange), own),

    route('settlements.list', 'GET', '/api/settlement-quotes', see, list(settlement), own),
    route('settlements.get', 'GET', '/api/settlement-quotes/:id', see, get(settlement), own),
    route('settlements.timeline', 'GET', '/api/settlement-quotes/:id/timeline', see, history(settlement), own),
    route('settlements.create', 'POST', '/api/settlement-quotes', capture, create(settlement), own),
    route('settlements.move', 'POST', '/api/settlement-quotes/:id/move', editPayments, move(settlement), own),

    route('securitySales.list', 'GET', '/api/security-sales', see, list(securitySale), own),
    route('securitySales.get', 'GET', '/api/security-sales/:id', see, get(securitySale), own),
    route('securitySales.timeline', 'GET', '/api/security-sales/:id/timeline', see, history(securitySale), own),
    route('securitySales.create', 'POST', '/api/security-sales', decide, create(securitySale, { message: 'Sale entered; another person books it' }), own),
    route('securitySales.move', 'POST', '/api/security-sales/:id/move', decide, move(securitySale), own),
    route('securitySales.update', 'PUT', '/api/security-sales/:id', decide, update(securitySale), own),

    route('moneyConnections.list', 'GET', '/api/money-connections', connect, list(connection.moneyConnection), own),
    route('moneyConnections.open', 'POST', '/api/money-connections', connect, command(connection.openInput, connection.openMpesa, connection.openAnswer), { own: true, inPerson: true, summary: 'Connects M-Pesa; the key is told this once' }),
    route('moneyConnections.openSigned', 'POST', '/api/money-connections/signed', connect, command(connection.openSignedInput, connection.openSigned, connection.openSignedAnswer), { own: true, inPerson: true, summary: 'Connects a provider that signs its messages; address and secret are told this once' }),
    route('moneyConnections.rotate', 'POST', '/api/money-connections/:id/secret', connect, command(connection.rotateInput, connection.rotate, connection.rotateAnswer), { own: true, inPerson: true, summary: 'Another secret for a provider that signs; for some hours both count' }),
    route('moneyConnections.close', 'POST', '/api/money-connections/:id/close', connect, command(idInput, connection.closeMoney, emptyAnswer), { own: true, inPerson: true }),
    ...mpesaRoutes,
    ...signedMoneyRoutes,
  ],
  timeline: lendingOfClient,
  actions: [offeredOn('clientGroup', lendThisGroupAction)],
  panels: [
    on('client', by(loan, 'clientId', 'Loans')),
    on('client', by(payment, 'clientId')),
    on('clientGroup', by(loan, 'groupId', 'Joint loans')),
    on('loan', by(payment, 'loanId')),
    on('loan', by(disbursement, 'loanId')),
    on('loan', by(strayPayout, 'loanId')),
    on('disbursement', by(strayPayout, 'disbursementId')),
    on('loan', by(promise, 'loanId')),
    on('loan', by(loanChange, 'loanId')),
    on('loan', by(settlement, 'loanId')),
    on('loan', by(loan, 'settlesLoanId', 'Top-ups')),
    on('loan', by(securitySale, 'loanId')),
    on('asset', by(securitySale, 'assetId')),
  ],
  screens: [
    screen('/loans/accounts', see, listOf(loan, { source: 'loans.list', overrides: { exportReport: 'exportList', actions: [...(loan.actions ?? []), handle.openLoanAction, openJointLoanAction] } }), { menu: { under: 'loans', label: 'Loan accounts', icon: 'book', order: 10 } }),
    screen('/loans/accounts/:id/edit', decide, formOf(loan)),
    screen('/loans/accounts/:id/view', see, detailOf(loan, {
      panels: [panels.schedulePanel, panels.transactionsPanel, feesPanel],
      overrides: {
        sections: [
          { rows: [['loanNumber', 'clientId'], ['status', 'statusReason'], ['principal', 'instalment'], ['method', 'annualRate'], ['instalments', 'productName'], ['disbursedOn', 'maturesOn'], ['officerUserId', 'tenantId'], ['creditType', 'settlesLoanId'], ['groupId']] },
          { title: 'Owed', rows: [['owed', 'overdue'], ['principalOwed', 'interestOwed'], ['feesOwed', 'penaltiesOwed'], ['daysPastDue', 'bucket'], ['unpaidSince', 'overpaid']] },
          termsSection,
          { title: 'Course', rows: [['owedAtPayout', 'paidOut'], ['closedOn', 'writtenOffOn'], ['writtenOff', 'accruedTo'], ['createdByUserId', 'dateCreated']] },
        ],
      },
    })),
    screen(balancesScreen, see, listOf(loanBalanceLine, { source: 'loanBalances.list', overrides: { exportReport: 'exportList' } })),
    screen('/disbursements', decide, listOf(disbursement, { source: 'disbursements.list', refine: withProviders, overrides: { exportReport: 'exportList', layouts: [boardOf(disbursement, { lines: ['loanId', 'clientId', 'amount'], badge: 'channel' })] } }), { menu: { under: 'loans', label: 'Disbursements', icon: 'swap', order: 20 } }),
    screen('/disbursements/create', decide, formOf(disbursement, { refine: byNetwork })),
    screen('/disbursements/:id/edit', decide, formOf(disbursement, { refine: byNetwork })),
    screen('/disbursements/:id/view', decide, detailOf(disbursement, { overrides: { sections: [
      { rows: [['disbursementNumber', 'status'], ['kind'], ['loanId', 'clientId'], ['amount', 'channel'], ['network', 'payTo'], ['providerReference', 'paidOn'], ['statusReason'], ['providerAmount', 'provider'], ['needsSecond'], ['note']] },
      { title: 'Course', rows: [['createdBy', 'dateCreated'], ['sentAt', 'attempts'], ['confirmedAt', 'tenantId']] },
    ] } })),
    screen('/loans/stray-payouts', decide, listOf(strayPayout, { source: 'strayPayouts.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'loans', label: 'Payouts to ask back', icon: 'warning', order: 22 } }),
    screen('/loans/stray-payouts/:id/view', decide, detailOf(strayPayout, { overrides: { sections: [
      { rows: [['strayNumber', 'status'], ['amount', 'reference'], ['leftOn', 'channel'], ['disbursementId', 'loanId'], ['statusReason']] },
      { title: 'Course', rows: [['returnedOn', 'returnReference'], ['provider', 'tenantId'], ['dateCreated', 'dateModified']] },
    ] } })),
    screen('/clients/payments/', seePayments, listOf(payment, { source: 'payments.list', refine: withSuspense, overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'Payments', icon: 'swap', order: 30 } }),
    screen('/clients/payments/create', capture, formOf(payment, { refine: withNetworks('provider', { eq: ['method', 'mobileMoney'] }) })),
    screen('/clients/payments/edit', editPayments, formOf(payment), { takesId: true }),
    screen('/clients/payments/view/:id', seePayments, detailOf(payment, { panels: [panels.allocationsPanel, panels.suggestionsPanel], overrides: { sections: [
      { rows: [['paymentNumber', 'status'], ['amount', 'method'], ['paidOn', 'kind'], ['loanId', 'clientId'], ['statusReason']] },
      { title: 'Where it came from', rows: [['providerReference', 'provider'], ['payerName', 'payerPhone'], ['billReference'], ['note']] },
      { title: 'Course', rows: [['createdBy', 'dateCreated'], ['tenantId']] },
    ] } })),
    screen('/loans/providers', connect, listOf(connection.moneyConnection, { source: 'moneyConnections.list' }), { menu: { under: 'loans', label: 'Providers', icon: 'api', order: 60 } }),
    screen('/loans/changes', see, listOf(loanChange, { source: 'loanChanges.list' }), { menu: { under: 'loans', label: 'Restructures', icon: 'swap', order: 25 } }),
    screen('/loans/changes/create', decide, formOf(loanChange)),
    screen('/loans/changes/:id/edit', decide, formOf(loanChange)),
    screen('/loans/changes/:id/view', see, detailOf(loanChange, { panels: [comparePanel], overrides: { sections: [
      { rows: [['changeNumber', 'status'], ['loanId', 'clientId'], ['kind', 'carriedOutOn'], ['reason'], ['statusReason']] },
      { title: 'Before and after', rows: [['instalmentBefore', 'instalmentAfter'], ['totalBefore', 'totalAfter'], ['lastBefore', 'lastAfter']] },
      { title: 'Asked for', rows: [['instalments', 'annualRate'], ['firstDueAt', 'graceOnPrincipal'], ['skip'], ['createdBy', 'dateCreated'], ['tenantId']] },
    ] } })),
    screen('/loans/settlements', see, listOf(settlement, { source: 'settlements.list' }), { menu: { under: 'loans', label: 'Settlement quotes', icon: 'file', order: 27 } }),
    screen('/loans/settlements/create', capture, formOf(settlement)),
    screen('/loans/settlements/:id/view', see, detailOf(settlement, { overrides: { sections: [
      { rows: [['quoteNumber', 'status'], ['loanId', 'clientId'], ['validUntil', 'quotedOn'], ['total', 'saved'], ['paymentId']] },
      { title: 'Made of', rows: [['principal', 'interest'], ['fees', 'penalties']] },
      { title: 'Course', rows: [['createdBy', 'dateCreated'], ['tenantId']] },
    ] } })),
    screen('/loans/securities', see, listOf(securitySale, { source: 'securitySales.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'loans', label: 'Sales of securities', icon: 'car', order: 28 } }),
    screen('/loans/securities/create', decide, formOf(securitySale, { refine: byNetwork })),
    screen('/loans/securities/:id/edit', decide, formOf(securitySale, { refine: byNetwork })),
    screen('/loans/securities/:id/view', see, detailOf(securitySale, { overrides: { sections: [
      { rows: [['saleNumber', 'status'], ['loanId', 'clientId'], ['assetId', 'description'], ['soldOn', 'buyer'], ['channel', 'network'], ['reference'], ['statusReason'], ['note']] },
      { title: 'What it brought', rows: [['valuation', 'price'], ['costs', 'net']] },
      { title: 'What it paid', rows: [['owedBefore', 'settled'], ['shortfall', 'surplus'], ['paymentId']] },
      { title: 'Course', rows: [['createdBy', 'dateCreated'], ['tenantId']] },
    ] } })),
    screen('/loans/promises', see, listOf(promise, { source: 'promises.list' }), { menu: { under: 'loans', label: 'Promises to pay', icon: 'schedule', order: 30 } }),
    screen('/loans/promises/create', capture, formOf(promise)),
    screen('/loans/promises/:id/edit', editPayments, formOf(promise)),
    screen('/loans/promises/:id/view', see, detailOf(promise, { overrides: { sections: [
      { rows: [['promiseNumber', 'status'], ['loanId', 'clientId'], ['amount', 'dueOn'], ['paid', 'decidedOn'], ['channel', 'activityId'], ['note'], ['statusReason']] },
      { title: 'Course', rows: [['createdBy', 'dateCreated'], ['tenantId']] },
    ] } })),
  ],
})

const of = <const Value extends string>(...options: readonly (readonly [value: Value, label: string])[]) =>
  options.map(([value, label]) => ({ value, label }))

/** What a version of a product and a loan say of their terms, in words. The first of each is the usual one. */
export const termWords = {
  dayCount: of(['equalPeriods', 'Equal periods'], ['actual/365', 'Days / 365'], ['actual/360', 'Days / 360'], ['30/360', '30 / 360']),
  everyUnit: of(['month', 'Months'], ['week', 'Weeks']),
  brokenPeriod: of(['ignore', 'Counts as whole'], ['charge', 'Counts by its days']),
  dueOnHoliday: of(['next', 'The next working day'], ['previous', 'The working day before'], ['keep', 'The same day']),
  penaltyKind: of(['none', 'None'], ['flat', 'An amount'], ['percentOfOverdue', 'Percent of overdue']),
  penaltyPer: of(['month', 'Month overdue'], ['instalment', 'Instalment overdue']),
  insuranceKind: of(['none', 'None'], ['perMilleOfBalance', 'Per 1,000 owed'], ['percentOfPrincipal', 'Percent of the loan']),
  feeKind: of(['flat', 'As an amount'], ['percentOfPrincipal', 'Percent of the loan']),
  feeDue: of(['deducted', 'Kept back'], ['financed', 'Added to the loan'], ['perInstalment', 'With each instalment']),
} as const

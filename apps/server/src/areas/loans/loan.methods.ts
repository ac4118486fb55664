/** How the instalments of a loan are made, as LoanTerms names it. */
export const methods = Object.entries({
  declining: 'Declining balance, equal instalments',
  flat: 'Flat',
  equalPrincipal: 'Equal principal',
  interestOnly: 'Interest only, principal at the end',
  balloon: 'Equal instalments and a balloon at the end',
}).map(([value, label]) => ({ value, label, colour: 'default' }))

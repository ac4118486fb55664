/** A difference as a check finds it. Amounts are decimal text, days YYYY-MM-DD. */
export interface Found {
  key: string
  kind: string
  what: string
  tenantId: string
  loanId: string | null
  paymentId: string | null
  disbursementId?: string | null
  statementId?: string | null
  lineId?: string | null
  reference?: string | null
  day?: string | null
  dayBooked?: string | null
  stated: string | null
  booked: string | null
}

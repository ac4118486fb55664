/** What we use of mt940js, which brings no types. */
declare module 'mt940js' {
  interface Transaction {
    /** The value date, midnight UTC. */
    date: Date
    /** Below zero where money went out; rounded to two decimals. */
    amount: number
    reference: string
    bankReference: string
    /** Field 86, its lines joined by line feeds. */
    details: string
    /** Field 86 by its sub-fields, where the bank writes it so. */
    structuredDetails?: Record<string, string>
  }
  interface BankStatement {
    transactionReference: string
    number: { statement: string; sequence: string }
    currency: string
    transactions: Transaction[]
  }
  export class Parser {
    /** Throws an Error with words where the text is no statement, or its balances do not agree with its movements. */
    parse(text: string): BankStatement[]
  }
}

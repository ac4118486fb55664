/** What M-Pesa posts of a payout: that it left, and with `parameters` what else it says. */
export const payoutResult = (id: string, conversation: string, parameters?: unknown) => ({
  Result: {
    ResultCode: 0,
    ResultDesc: 'Processed',
    OriginatorConversationID: id,
    ConversationID: conversation,
    TransactionID: `T${conversation}`,
    ResultParameters: parameters,
  },
})

/** The parameters that say how much it was. */
export const saidAmount = (amount: unknown) => ({ ResultParameter: [{ Key: 'TransactionAmount', Value: amount }] })

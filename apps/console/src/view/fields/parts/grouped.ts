/** What is pasted may group by spaces or commas and name its currency. */
const bare = (text: string): string => text.replace(/[^\d.-]/g, '')

/** Sets off the thousands of an amount as it is typed: 1250000.5 becomes 1,250,000.5. */
export function grouped(text: string): string {
  const [whole = '', ...rest] = bare(text).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.')
}

/** Properties of an antd InputNumber for amounts of money. What is being typed keeps its last point and zeros. */
export const groupedAmount = {
  formatter: (value: string | number | undefined, { userTyping, input }: { userTyping: boolean; input: string }) =>
    grouped(userTyping ? input : String(value ?? '')),
  // antd reads the text as a number itself; an empty one is no number, which it knows too.
  parser: (text: string | undefined) => bare(text ?? '') as unknown as number,
}

import { z } from 'zod'
import { readNumber } from './read-number.ts'

export { readNumber }

/**
 * An identifier of the specification: hyphenated 8-4-4-4-12 hexadecimal, of any version (imported companies carry such as no
 * RFC knows). Upper and lower case are one: it is read as lower case.
 */
export const identifierSchema = z.guid('is not an identifier').toLowerCase()

/** A number that may come as decimal text, as forms send it (`"-1.28"`); empty text is null, any other text is left to the schema to refuse. */
export const numberLike = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(readNumber, schema)

/** The same where nothing needs to be given: null and empty text count as not given. */
export const optionalNumber = (schema: z.ZodNumber) =>
  numberLike(schema.nullish())
    .transform((value) => value ?? undefined)
    .optional()

/** The same with a value for what was not given: an empty field is no 0. */
export const numberOr = (schema: z.ZodNumber, fallback: number) => optionalNumber(schema).transform((value) => value ?? fallback)

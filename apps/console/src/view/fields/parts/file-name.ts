/** Name of a stored file by its path. */
export const fileName = (value: unknown): string => decodeURIComponent(String(value).split(/[?#]/)[0]?.split('/').at(-1) ?? '')

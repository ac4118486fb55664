/** Extensions of files that may be stored; the server looks at the bytes too. */
export const storedExtensions = ['pdf', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'heic', 'docx', 'xlsx', 'pptx', 'txt', 'csv'] as const
export type StoredExtension = (typeof storedExtensions)[number]

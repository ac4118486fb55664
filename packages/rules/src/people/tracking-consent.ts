/** What people of the field are asked before their phone is followed; a new wording is a new version. */
export const trackingConsentText = {
  version: 1,
  paragraphs: [
    'While you work, this phone may note every few minutes where you are. Your company sees it on the map and in your day.',
    'You are followed in working time alone: in the hours of your branch, and from when you start your day until you end it. Outside of it nothing is stored.',
    'The place of a visit, or of starting your day, belongs to that work and is kept either way.',
    'Your answer is yours: you may withdraw it here at any time, and nobody can give it for you.',
  ],
} as const

-- Ways are summed over tens of thousands of fixes a day: as decimals half of that time went into making numbers of them.
-- AlterTable
ALTER TABLE "user_position" ALTER COLUMN "latitude" SET DATA TYPE DOUBLE PRECISION,
ALTER COLUMN "longitude" SET DATA TYPE DOUBLE PRECISION;

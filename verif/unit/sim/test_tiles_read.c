/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Series, FASTA and PGM: accepted files, and each rejection with its file and line. */
#include <zlib.h>

#include "unit/util.h"
#include "work/tiles_read.h"
/* it wants cmocka's before it */
#include "unit/temp.h"

static struct hd_tiles_data data;
static char err[400];

/* Reads files of these texts, named a and b; b may be NULL. */
static bool read_texts(const char *name, const char *a, const char *b) {
  char path[2][512];
  const char *file[2] = {path[0], path[1]};
  hd_tiles_data_free(&data);
  data = (struct hd_tiles_data){.kind = hd_tiles_find(name), .sweeps = 1, .bins = 1};
  memset(err, 0, sizeof err);
  snprintf(path[0], sizeof path[0], "%s", temp_text("a", a));
  if (b != NULL) snprintf(path[1], sizeof path[1], "%s", temp_text("b", b));
  return hd_tiles_read(&data, file, b != NULL ? 2 : 1, err, sizeof err);
}

static int teardown(void **state) {
  (void)state;
  hd_tiles_data_free(&data);
  return 0;
}

struct refusal {
  const char *a, *b, *says;
};

/* Each is rejected in one line that begins with the folder and ends in `says`. */
static void check_refusals(const char *name, const struct refusal *r, size_t n) {
  for (size_t k = 0; k < n; k++) {
    assert_false(read_texts(name, r[k].a, r[k].b));
    const char *tail = err + strlen(temp_dir) + 1;
    if (strncmp(err, temp_dir, strlen(temp_dir)) != 0 || strcmp(tail, r[k].says) != 0)
      fail_msg("case %zu: '%s', wanted '%s'", k, err, r[k].says);
  }
}

/* ---- series ---- */

TEST_WITH(test_series, NULL, teardown) {
  assert_true(read_texts("dtw", "# x\n1\n\n2.5  % two\n-3e2\n", "4\r\n5\r\n"));
  assert_true(data.width == 3 && data.height == 2);
  assert_true(data.series[0][1] == 2.5 && data.series[0][2] == -300 && data.series[1][1] == 5);
  assert_true(read_texts("dtw", "1, 10\n2;20\n3\t30", NULL));
  assert_true(data.width == 3 && data.height == 3);
  assert_true(data.series[0][2] == 3 && data.series[1][2] == 30);
}

TEST_WITH(test_series_refused, NULL, teardown) {
  static const struct refusal r[] = {
      {"1\nx\n", NULL, "a:2: the first field is 'x'; a number would be accepted"},
      {"1 2\n3 nan\n", NULL, "a:2: the second field is 'nan'; a number would be accepted"},
      {"1\n2\n", "3\n1e999\n", "b:2: the first field is '1e999'; a number would be accepted"},
      {"1 2 3\n", NULL, "a:1: more than two numbers; one or two would be accepted"},
      {"1 2\n\n3\n", NULL, "a:3: one number, and the lines before have two; the same number would be accepted"},
      {"1\n3 4\n", NULL, "a:2: two numbers, and the lines before have one; the same number would be accepted"},
      {"# nothing\n", "1\n", "a: no numbers; one or two on each line would be accepted"},
      {"1\n2\n", NULL, "a: one series; two would be accepted, in this file or in a second one"},
      {"1 2\n", "3\n", "b: a third series; two in all would be accepted"},
      {"1 2\n", "3 4\n", "b: a third series; two in all would be accepted"},
  };
  check_refusals("dtw", r, sizeof r / sizeof *r);
}

/* Longer than the initial buffer. */
TEST_WITH(test_long_series, NULL, teardown) {
  char *text = malloc(60000), *at = text;
  for (unsigned k = 0; k < 5000; k++) at += sprintf(at, "%u %u\n", k, 2 * k);
  assert_true(read_texts("dtw", text, NULL));
  free(text);
  assert_true(data.width == 5000 && data.series[0][4999] == 4999 && data.series[1][4999] == 9998);
}

/* ---- FASTA ---- */

TEST_WITH(test_fasta, NULL, teardown) {
  assert_true(read_texts("sw", ">one of them\nACGT\n\nacg  \n", "\n>other\r\nTTT\r\n"));
  assert_true(data.width == 7 && data.height == 3);
  assert_string_equal(data.sequence[0], "ACGTACG");
  assert_string_equal(data.sequence[1], "TTT");
  assert_true(read_texts("sw", ">\nMKV\n>\nNLYIQ", NULL));
  assert_true(data.width == 3 && data.height == 5);
  assert_string_equal(data.sequence[1], "NLYIQ");
}

TEST_WITH(test_fasta_refused, NULL, teardown) {
  static const struct refusal r[] = {
      {"ACGT\n", NULL, "a:1: 'ACGT' before the first sequence; a line '>' and its name would be accepted"},
      {">a\nAC\nAC7T\n", NULL, "a:3: '7' at column 3; letters would be accepted"},
      {">a\nAC AC\n", NULL, "a:2: ' ' at column 3; letters would be accepted"},
      {">a\nAC\n", ">b\nA-C\n", "b:2: '-' at column 2; letters would be accepted"},
      {">a\n>b\nAC\n", NULL, "a:2: a sequence without letters ends here; at least one would be accepted"},
      {">a\nAC\n>b\n", NULL, "a:3: a sequence without letters ends here; at least one would be accepted"},
      {">a\nAC\n>b\nAC\n>c\nAC\n", NULL, "a:5: a third sequence; two in all would be accepted"},
      {">a\nAC\n>b\nAC\n", ">c\nAC\n", "b:1: a third sequence; two in all would be accepted"},
      {">a\nAC\n", NULL, "a: one sequence; two would be accepted, in this file or in a second one"},
      {"", ">a\nAC\n", "a: no sequence; FASTA, '>' and a name and then letters, would be accepted"},
      {">a\nA\001C\n", NULL, "a:2: '?' at column 2; letters would be accepted"},
  };
  check_refusals("sw", r, sizeof r / sizeof *r);
}

TEST_WITH(test_long_sequences, NULL, teardown) {
  char *text = malloc(20100);
  strcpy(text, ">a\n");
  memset(text + 3, 'g', 10000);
  strcpy(text + 10003, "\n>b\n");
  memset(text + 10007, 'c', 9999);
  text[20006] = '\0';
  assert_true(read_texts("sw", text, NULL));
  free(text);
  assert_true(data.width == 10000 && data.height == 9999 && data.sequence[0][9999] == 'G');
  assert_int_equal(strlen(data.sequence[1]), 9999);
}

/* ---- PGM ---- */

TEST_WITH(test_plain_image, NULL, teardown) {
  assert_true(read_texts("hist", "P2\n# made by hand\n3 2 # wide\n15\n0 1 2\n13 14 15\n", NULL));
  assert_true(data.width == 3 && data.height == 2 && data.grey_most == 15);
  for (unsigned k = 0; k < 6; k++) assert_int_equal(data.grey[k], k < 3 ? k : k + 10);
  assert_true(read_texts("intimg", "P2 1 1 65535 65535", NULL));
  assert_true(data.grey_most == 65535 && data.grey[0] == 65535);
}

static bool read_bytes(const char *name, const void *bytes, size_t n) {
  const char *file = temp_bytes("a", bytes, n);
  hd_tiles_data_free(&data);
  data = (struct hd_tiles_data){.kind = hd_tiles_find(name), .sweeps = 1, .bins = 1};
  return hd_tiles_read(&data, &file, 1, err, sizeof err);
}

/* Pixels of a byte, blanks and line ends among them, and of two bytes, the higher one first. */
TEST_WITH(test_raw_image, NULL, teardown) {
  assert_true(read_bytes("hist", "P5 2 2 255\n\n#\0\xff", 15));
  assert_true(data.grey[0] == '\n' && data.grey[1] == '#' && data.grey[2] == 0 && data.grey[3] == 255);
  assert_true(read_bytes("hist", "P5\n1 2\n300\n\x01\x2c\0\x07", 15));
  assert_true(data.grey[0] == 300 && data.grey[1] == 7);
}

TEST_WITH(test_gzipped_image, NULL, teardown) {
  char path[512];
  const char *file = path;
  snprintf(path, sizeof path, "%s/image.pgm.gz", temp_dir);
  gzFile gz = gzopen(path, "wb");
  assert_true(gz != NULL && gzputs(gz, "P2 2 1 9 3 4") > 0 && gzclose(gz) == Z_OK);
  data = (struct hd_tiles_data){.kind = &hd_tiles_hist, .sweeps = 1, .bins = 1};
  assert_true(hd_tiles_read(&data, &file, 1, err, sizeof err));
  assert_true(data.grey[0] == 3 && data.grey[1] == 4);
  hd_tiles_data_free(&data);
  assert_int_equal(truncate(path, 20), 0);
  assert_false(hd_tiles_read(&data, &file, 1, err, sizeof err));
  assert_non_null(strstr(err, "image.pgm.gz"));
}

TEST_WITH(test_image_refused, NULL, teardown) {
  static const struct refusal r[] = {
      {"P6\n1 1\n255\nabc", NULL, "a:1: it does not begin with P2 or P5; a grey image in PGM would be accepted"},
      {"", NULL, "a:1: it does not begin with P2 or P5; a grey image in PGM would be accepted"},
      {"P22 1 1 1", NULL, "a:1: other characters after P2 or P5; a blank or a line end would be accepted"},
      {"P2\n0 4\n9\n", NULL, "a:2: the width is '0'; a whole number from 1 to 65536 would be accepted"},
      {"P2\n4 x\n9\n", NULL, "a:2: the height is 'x'; a whole number from 1 to 65536 would be accepted"},
      {"P2\n4 123456789012\n9\n", NULL,
       "a:2: the height is '123456789'; a whole number from 1 to 65536 would be accepted"},
      {"P2\n65536 65536\n9\n", NULL, "a:2: 65536 x 65536 pixels; 268435456 would be accepted"},
      {"P2\n2 2\n65536\n", NULL,
       "a:3: the largest grey value is '65536'; a whole number from 1 to 65535 would be accepted"},
      {"P2\n2 2\n", NULL, "a:3: the file ends, and the largest grey value would be accepted"},
      {"P2\n2 2\n9\n1 2\n3 10\n", NULL, "a:5: a pixel is '10'; a whole number from 0 to 9 would be accepted"},
      {"P2\n2 2\n9\n1 2\n-3 1\n", NULL, "a:5: a pixel is '-3'; a whole number from 0 to 9 would be accepted"},
      {"P2\n2 2\n9\n1 2 3\n", NULL, "a:5: the file ends, and a pixel would be accepted"},
      {"P2\n2 1\n9\n1 2\n3\n", NULL, "a:5: more data after the 2 x 1 pixels; none would be accepted"},
      {"P5\n2 2\n9#\n1 2 3\n", NULL, "a:3: no blank after the largest grey value; one would be accepted"},
      {"P5\n2 2\n255\nabc", NULL, "a: the data end after 3 pixels; 2 x 2 would be accepted"},
      {"P5\n2 1\n255\nabc", NULL, "a: more data after the 2 x 1 pixels; none would be accepted"},
  };
  check_refusals("intimg", r, sizeof r / sizeof *r);
  assert_false(read_bytes("intimg", "P5\n2 2\n100\n\1\2e\4", 15));
  assert_non_null(strstr(err, "a: pixel 2 is 101, and line 3 sets the maximum to 100"));
}

/* ---- all of them ---- */

/* A compressed file that is truncated is rejected as such, and never read as a shorter one. */
TEST_WITH(test_truncated, NULL, teardown) {
  static const struct {
    const char *name, *begins;
  } of[] = {{"dtw", "1 2\n"}, {"sw", ">a\nACGT\n>b\n"}, {"hist", "P2\n300 300\n9\n"}, {"intimg", "P5\n300 300\n99\n"}};
  for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
    char path[512];
    const char *file = path;
    uint64_t seed = 5;
    snprintf(path, sizeof path, "%s/broken.gz", temp_dir);
    gzFile gz = gzopen(path, "wb");
    assert_true(gz != NULL && gzputs(gz, of[k].begins) > 0);
    for (unsigned n = 0; n < 90000; n++) {
      const uint32_t digit = ut_below(&seed, 9);
      if (k == 0) gzprintf(gz, "%u %u\n", digit, ut_below(&seed, 9));
      if (k == 1) gzputc(gz, (int)('A' + digit));
      if (k == 2) gzprintf(gz, "%u ", digit);
      if (k == 3) gzputc(gz, (int)digit);
    }
    assert_int_equal(gzclose(gz), Z_OK);
    hd_tiles_data_free(&data);
    data = (struct hd_tiles_data){.kind = hd_tiles_find(of[k].name), .sweeps = 1, .bins = 1};
    assert_true(hd_tiles_read(&data, &file, 1, err, sizeof err));
    assert_int_equal(truncate(path, 9000), 0);
    hd_tiles_data_free(&data);
    data = (struct hd_tiles_data){.kind = hd_tiles_find(of[k].name), .sweeps = 1, .bins = 1};
    assert_false(hd_tiles_read(&data, &file, 1, err, sizeof err));
    if (strstr(err, "broken.gz:") == NULL || strstr(err, "truncated") == NULL) fail_msg("%s: '%s'", of[k].name, err);
  }
}

/* 2^24 letters or numbers at most; the message names the line of the first one beyond. */
TEST_WITH(test_too_long, NULL, teardown) {
  enum { MOST = 1 << 24, LINE = 1 << 16 };
  static const char *const reads[] = {"sw", "dtw"};
  static const char *const says[] = {":258: one letter too many; 16777216 would be accepted",
                                     ":16777217: one number too many; 16777216 would be accepted"};
  char *text = malloc(LINE + 2);
  memset(text, 'A', LINE);
  memcpy(text + LINE, "\n", 2);
  for (unsigned k = 0; k < 2; k++) {
    char path[512];
    const char *file = path;
    snprintf(path, sizeof path, "%s/long", temp_dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    if (k == 0) fputs(">a\n", f);
    for (unsigned n = 0; n < (k == 0 ? MOST / LINE : MOST) + 1; n++) fputs(k == 0 ? text : "1\n", f);
    assert_int_equal(fclose(f), 0);
    hd_tiles_data_free(&data);
    data = (struct hd_tiles_data){.kind = hd_tiles_find(reads[k]), .sweeps = 1, .bins = 1};
    assert_false(hd_tiles_read(&data, &file, 1, err, sizeof err));
    if (strstr(err, says[k]) == NULL) fail_msg("%s: '%s'", reads[k], err);
    remove(path);
  }
  free(text);
}

TEST_WITH(test_files, NULL, teardown) {
  const char *file[3] = {"/nowhere/x", "/nowhere/y", "/nowhere/z"};
  static const char *const reads[] = {"dtw", "sw", "hist"};
  for (unsigned k = 0; k < 3; k++) {
    data = (struct hd_tiles_data){.kind = hd_tiles_find(reads[k]), .sweeps = 1, .bins = 1};
    assert_false(hd_tiles_read(&data, file, 1, err, sizeof err));
    assert_string_equal(err, "/nowhere/x: No such file or directory");
  }
  assert_false(hd_tiles_read(&data, file, 2, err, sizeof err));
  assert_string_equal(err, "2 files for hist; one would be accepted");
  data.kind = &hd_tiles_dtw;
  assert_false(hd_tiles_read(&data, file, 3, err, sizeof err));
  data.kind = &hd_tiles_sor;
  assert_false(hd_tiles_read(&data, file, 1, err, sizeof err));
  assert_string_equal(err, "1 files for sor; none would be accepted");
}

TEST_MAIN("tiles_read", temp_setup, temp_teardown)

/* folder.h -- folders that a test makes for itself. */
#ifndef NUMEL_TEST_FOLDER_H
#define NUMEL_TEST_FOLDER_H

/* With all that is in it; links are not followed. Its name must begin with /tmp/numel-: nothing of anybody else. */
void folder_remove(const char *path);

#endif

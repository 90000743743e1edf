/* folder.h -- temporary folders for tests. */
#ifndef NUMEL_TEST_FOLDER_H
#define NUMEL_TEST_FOLDER_H

/* Removes a folder with its contents, without following links. Its name must begin with /tmp/numel-, so
 * that nothing else can be deleted. */
void folder_remove(const char *path);

#endif

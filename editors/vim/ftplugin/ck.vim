" Python's settings: comments, indentation, motions.
runtime! ftplugin/python.vim indent/python.vim
